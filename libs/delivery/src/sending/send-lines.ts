import { executionDetail, type ProviderId } from '@clarion/contracts/core';
import type { ClaimedStep } from '@clarion/persistence';
import { describeProvider, type ProviderError, type SendSuccess } from '@clarion/providers';
import { isSandboxOutbox, providerSelectedLine, sandboxLine } from '@clarion/rules';
import type { Line } from '../pipeline/admit';
import type { Delivery } from './channel';
import type { Account } from '../accounts/integration-directory';
import { isAccountFailure } from './send-failures';
import type { SentLine } from '../pipeline/step-result';

/** The execution details of one message and one account. */

/** The lines of every message that an account accepts, without the id of the message. */
type UsualLines = Record<'selected' | 'created' | 'sent', SentLine>;

/** By account object: an integration that was changed is a new account. */
const usualLines = new WeakMap<Account, UsualLines>();

function usualLinesOf(account: Account): UsualLines {
  let lines = usualLines.get(account);
  if (!lines) {
    const providerId = account.providerId as ProviderId;
    const selected = providerSelectedLine(displayNameOf(account), account);
    lines = {
      selected: { ...selected, providerId, raw: JSON.stringify(selected.raw) },
      created: { ...executionDetail('messageCreated'), providerId },
      sent: { ...executionDetail('messageSent'), providerId },
    };
    usualLines.set(account, lines);
  }
  return lines;
}

export type AttemptTimes = { preparedMs: number; providerMs: number };

/** A shorter preparation is not worth its bytes in the record of every message. */
const NOTED_PREPARATION_MS = 100;

export function selectedLine(
  account: Account,
  { messageId }: Delivery,
  isRetry: boolean,
  preparedMs: number,
): SentLine {
  const line: SentLine = { ...usualLinesOf(account).selected, messageId };
  if (isRetry) line.isRetry = true;
  if (preparedMs >= NOTED_PREPARATION_MS)
    line.raw = { ...(providerSelectedLine('', account).raw as object), preparedMs };
  return line;
}

export function createdLine(account: Account, { messageId, endpoint }: Delivery): SentLine {
  const line: SentLine = { ...usualLinesOf(account).created, messageId };
  if (endpoint !== undefined) line.raw = { endpoint };
  return line;
}

export const unavailableLine = (account: Account, delivery: Delivery, reason: string): SentLine =>
  line(executionDetail('providerUnavailable', { provider: displayNameOf(account) }), account, delivery, reason);

/** The limit of the account let the message wait inside the worker. */
export function rateLimitLine(account: Account, delivery: Delivery, waitedMs: number): SentLine {
  const { name: integration, configurations } = account;
  const values = { integration, figure: String(configurations.rateLimit), seconds: (waitedMs / 1_000).toFixed(1) };
  return line(executionDetail('waitedForRateLimit', values), account, delivery);
}

/** The provider accepted the message; each of its warnings is a line too. */
export function sentLines(account: Account, delivery: Delivery, result: SendSuccess, times?: AttemptTimes): SentLine[] {
  const { messageId } = delivery;
  const { sandbox } = account;
  if (sandbox && sandbox.redirectTo === undefined) return [line(sandboxLine(sandbox, []), account, delivery)];
  const sent: SentLine = { ...usualLinesOf(account).sent, messageId, raw: Object.assign(receiptOf(result), times) };
  if (!result.warnings && !sandbox) return [sent];
  const warn = (warning: string): SentLine => line(executionDetail('acceptedWithWarning'), account, delivery, warning);
  const lines = [sent, ...(result.warnings ?? []).map(warn)];
  if (!sandbox) return lines;
  const redirected = sandboxLine(sandbox, result.intended ?? []);
  return [line(redirected, account, delivery, redirected.raw), ...lines];
}

/** A provider error; `isFinal` when the message is not sent again. */
export function problemLine(
  isFinal: boolean,
  account: Account,
  delivery: Delivery,
  result: ProviderError,
  more?: object,
): SentLine {
  const { kind, message, status: code, raw: answer } = result;
  const raw = {
    kind,
    message,
    ...(delivery.endpoint !== undefined && { endpoint: delivery.endpoint }),
    ...(code !== undefined && { status: code }),
    ...(answer !== undefined && { answer }),
    ...more,
  };
  return {
    ...line(executionDetail(isFinal ? 'providerError' : 'providerErrorRetried'), account, delivery, raw),
    ...(isAccountFailure(result) && { source: 'Credentials' as const }),
  };
}

/** The time to live of the step has ended. */
export const expiredLine = ({ ttl }: Pick<ClaimedStep, 'ttl'>): Line =>
  executionDetail('messageExpired', { ttl: String(ttl) });

/** The time to live of the step ends before a message could be sent again. */
export const retryAfterExpiryLine = ({ ttl }: Pick<ClaimedStep, 'ttl'>): Line =>
  executionDetail('retryAfterExpiry', { ttl: String(ttl) });

function receiptOf({ id, date, raw }: SendSuccess): object {
  const receipt: { id?: string; date?: string; answer?: string } = {};
  if (id !== undefined) receipt.id = id;
  if (date) receipt.date = date.toISOString();
  if (raw !== undefined) receipt.answer = raw;
  return receipt;
}

const displayNameOf = (account: Account): string =>
  isSandboxOutbox(account) ? account.name : describeProvider(account.providerId as ProviderId).displayName;

function line(detail: Line, account: Account, { messageId }: Delivery, raw?: unknown): SentLine {
  return { providerId: account.providerId as ProviderId, messageId, ...detail, ...(raw !== undefined && { raw }) };
}
