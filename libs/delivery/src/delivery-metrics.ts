import { type Channel, stepTypeWaits, timeOfId } from '@clarion/contracts/core';
import type { ClaimedStep, NewMessage, RunningWorkflow } from '@clarion/persistence';
import type { MessageOutcome, Metrics } from '@clarion/platform';
import { SUPPRESSED_ERROR } from '@clarion/rules';
import type { StepResult } from './step-result';

/** Of a message that no provider was asked to take. */
const NO_PROVIDER = 'none';

/** What became of the messages of a step, once it is recorded. */
export function countMessages(
  metrics: Pick<Metrics, 'message'>,
  channel: Channel,
  { environmentId, inDoubt }: Pick<ClaimedStep, 'environmentId' | 'inDoubt'>,
  { state, messages }: Pick<StepResult, 'state' | 'messages'>,
): void {
  const count = (outcome: MessageOutcome, provider: string = NO_PROVIDER): void =>
    metrics.message(channel, provider, outcome, environmentId);
  for (const message of messages) {
    const outcome = outcomeOf(message, state);
    if (outcome) count(outcome, message.providerId);
    if (inDoubt) count('in_doubt', message.providerId);
  }
  // No account, or content that cannot be rendered: nothing was made that could be sent.
  if (state === 'failed' && messages.length === 0) count('failed');
}

function outcomeOf({ status, errorId }: NewMessage, state: StepResult['state']): MessageOutcome | undefined {
  if (errorId === SUPPRESSED_ERROR) return 'suppressed';
  if (status === 'sent') return 'sent';
  if (state === 'queued' && status === 'warning') return 'retried';
  // Who cannot be reached on a channel is passed over, which is no failure.
  return status === 'error' && state !== 'canceled' ? 'failed' : undefined;
}

/** From the accepted event to now. Undefined for a step behind a delay or digest step, which had to wait. */
export function endToEndSeconds(
  { stepKey, notification }: Pick<ClaimedStep, 'stepKey' | 'notification'>,
  { steps }: Pick<RunningWorkflow, 'steps'>,
  now: number,
): number | undefined {
  const own = steps.findIndex(({ stepId, id }) => stepId === stepKey || id === stepKey);
  const before = steps.slice(0, Math.max(0, own));
  if (before.some(({ active, type }) => active && stepTypeWaits(type))) return undefined;
  return (now - timeOfId(notification.triggerId)) / 1_000;
}
