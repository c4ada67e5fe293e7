import { executionDetail, isJsonObject } from '@clarion/contracts/core';
import { type ClaimedStep, CRASHES_ALLOWED } from '@clarion/persistence';
import type { ChannelStrategy, Delivery } from '../sending/channel';
import { MAX_ERROR_CHARACTERS } from '../sending/message-attempt';
import { expiredLine } from '../sending/send-lines';
import { isExpired } from './step-age';
import { failedResult, type MessageResult, type SentLine, type StepResult } from './step-result';

/** The state that an earlier attempt stored in `step.error`: which messages to send again, and how many were sent. */
export type SendProgress = { retry: string[]; sent: number };

export function progressOf({ error }: ClaimedStep): SendProgress | undefined {
  if (!isJsonObject(error) || !Array.isArray(error['retry'])) return undefined;
  return { retry: error['retry'].map(String), sent: Number(error['sent'] ?? 0) };
}

/** The result of a step from the results of its messages: retry if any message needs it, completed if any was sent. */
export function concludeStep(
  step: ClaimedStep,
  strategy: ChannelStrategy,
  results: MessageResult[],
  sentBefore: number,
): StepResult {
  const [first] = results;
  if (results.length === 1 && first!.verdict === 'sent') {
    return { state: 'completed', lines: first!.lines, messages: [first!.message], account: first!.account };
  }
  const lines = results.flatMap((result) => result.lines);
  const messages = results.map(({ message }) => message);
  const account = results.findLast((result) => result.account)?.account;
  const sent = sentBefore + results.filter(({ verdict }) => verdict === 'sent').length;
  const again = results.filter(({ verdict }) => verdict === 'retry');
  if (again.length > 0) {
    const next = again.reduce((one, other) => (other.waitMs! < one.waitMs! ? other : one));
    return {
      state: 'queued',
      lines,
      messages,
      account,
      waitMs: next.waitMs!,
      ...(next.waitsFor !== undefined && { waitsFor: next.waitsFor }),
      ...(!again.some(({ counts }) => counts) && { attempt: step.attempt - 1 }),
      error: {
        retry: again.map(({ delivery }) => delivery.messageId),
        sent,
        message: (again[0]!.error ?? '').slice(0, MAX_ERROR_CHARACTERS),
        // The message names a time, so operators see such steps grouped by the words that stopped the calls.
        ...(again.every((result) => !result.account) && { notCalled: true }),
      },
    };
  }
  if (sent > 0) return { state: 'completed', lines, messages, account };
  if (results.every(({ verdict }) => verdict === 'expired')) return { state: 'skipped', lines, messages, account };
  const error = results.find((result) => result.error)?.error ?? 'no message could be sent';
  if (strategy.allFailed) lines.push(executionDetail(strategy.allFailed));
  return { state: 'failed', lines, messages, account, error: { message: error.slice(0, MAX_ERROR_CHARACTERS) } };
}

/**
 * Decides about a step whose last holder crashed during a call, so that its messages may have been sent. The
 * integration chooses: hold the messages (the step fails) or send them again (a line to record). Messages that have
 * expired are held.
 */
export function resolveDoubt(step: ClaimedStep, deliveries: Delivery[]): { held: StepResult } | { line: SentLine } {
  const accounts = deliveries.flatMap((delivery) => delivery.accounts);
  const account = accounts.find(({ id }) => id === step.integrationId) ?? accounts[0];
  const policy = account?.configurations.inDoubt ?? 'resend';
  const isLate = isExpired(step);
  if (policy === 'resend' && !isLate) {
    const raw = { interruptions: step.crashCount };
    return { line: { ...executionDetail('sendingInterruptedResent'), isRetry: true, raw } };
  }
  const line = heldInDoubt(step);
  return {
    held: {
      state: 'failed',
      lines: [...(isLate ? [expiredLine(step)] : []), { ...line, raw: { ...line.raw, policy } }],
      messages: deliveries.map(({ messageId, row }) => ({
        ...row,
        id: messageId,
        status: 'warning',
        errorId: 'in_doubt',
        errorText: line.detail,
      })),
      error: { message: line.detail },
    },
  };
}

/** The result of a step that crashed its workers repeatedly. A message that may have been sent is not sent again. */
export const quarantinedResult = (step: ClaimedStep): StepResult =>
  failedResult(...(step.inDoubt ? [heldInDoubt(step)] : []), {
    ...executionDetail('stepQuarantined'),
    raw: { crashes: CRASHES_ALLOWED },
  });

/** Says how often a worker stopped while it held the step: so many calls may have been made. */
const heldInDoubt = ({ crashCount }: ClaimedStep) => ({
  ...executionDetail('sendingInterruptedHeld'),
  isRetry: true,
  raw: { interruptions: crashCount },
});
