import { executionDetail, type ProviderId } from '@clarion/contracts/core';
import { describeProvider, type ProviderError, type SendSuccess } from '@clarion/providers';
import { providerSelectedLine } from '@clarion/rules';
import type { Line } from './admit';
import type { Delivery } from './channel';
import type { Account } from './integration-directory';
import { isAccountFailure } from './send-failures';
import type { SentLine } from './step-result';

/** The execution details of one message and one account. */

export function selectedLine(account: Account, delivery: Delivery, isRetry: boolean): SentLine {
  const { raw, ...detail } = providerSelectedLine(displayNameOf(account), account);
  return { ...line(detail, account, delivery, raw), ...(isRetry && { isRetry }) };
}

export const createdLine = (account: Account, delivery: Delivery): SentLine =>
  line(executionDetail('messageCreated'), account, delivery);

export const unavailableLine = (account: Account, delivery: Delivery, reason: string): SentLine =>
  line(executionDetail('providerUnavailable', { provider: displayNameOf(account) }), account, delivery, reason);

/** The provider accepted the message; each of its warnings is a line too. */
export const sentLines = (account: Account, delivery: Delivery, result: SendSuccess): SentLine[] => [
  line(executionDetail('messageSent'), account, delivery, receiptOf(result)),
  ...(result.warnings ?? []).map((warning) => line(executionDetail('acceptedWithWarning'), account, delivery, warning)),
];

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
    ...(code !== undefined && { status: code }),
    ...(answer !== undefined && { answer }),
    ...more,
  };
  return {
    ...line(executionDetail(isFinal ? 'providerError' : 'providerErrorRetried'), account, delivery, raw),
    ...(isAccountFailure(result) && { source: 'Credentials' as const }),
  };
}

/** The provider's answer, and the id and date that were read from it. */
const receiptOf = ({ id, date, raw }: SendSuccess): object => ({
  ...(id !== undefined && { id }),
  ...(date && { date: date.toISOString() }),
  ...(raw !== undefined && { answer: raw }),
});

const displayNameOf = ({ providerId }: Account): string => describeProvider(providerId as ProviderId).displayName;

function line(detail: Line, account: Account, { messageId }: Delivery, raw?: unknown): SentLine {
  return { ...detail, providerId: account.providerId as ProviderId, messageId, ...(raw !== undefined && { raw }) };
}
