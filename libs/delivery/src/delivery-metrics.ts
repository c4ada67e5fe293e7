import { type Channel, stepTypeWaits } from '@clarion/contracts/core';
import type { ClaimedStep, NewMessage, RunningWorkflow } from '@clarion/persistence';
import type { MessageOutcome, Metrics } from '@clarion/platform';
import { SUPPRESSED_ERROR } from '@clarion/rules';
import { ageMs } from './pipeline/step-age';
import type { SettledStep } from './pipeline/step-outcome';
import type { StepResult } from './pipeline/step-result';

/** The label of a message for which no provider was called. */
const NO_PROVIDER = 'none';

export function countOutcome(
  metrics: Pick<Metrics, 'message' | 'endToEnd'>,
  channel: Channel,
  { step, workflow }: SettledStep,
  result: StepResult,
): void {
  countMessages(metrics, channel, step, result);
  const seconds = result.state === 'completed' && workflow ? endToEndSeconds(step, workflow) : undefined;
  if (seconds !== undefined) metrics.endToEnd(channel, seconds, step.lane, step.environmentId);
}

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
  // Without an account or without content there is no message, but the step counts as a failure.
  if (state === 'failed' && messages.length === 0) count('failed');
}

function outcomeOf({ status, errorId }: NewMessage, state: StepResult['state']): MessageOutcome | undefined {
  if (errorId === SUPPRESSED_ERROR) return 'suppressed';
  if (status === 'sent') return 'sent';
  if (state === 'queued' && status === 'warning') return 'retried';
  // A subscriber who cannot be reached on the channel is not a failure: the step is canceled.
  return status === 'error' && state !== 'canceled' ? 'failed' : undefined;
}

/** The time since the event was accepted; undefined when a delay or digest before the step made it wait. */
export function endToEndSeconds(
  step: Pick<ClaimedStep, 'stepKey' | 'ageMs' | 'claimedAt'>,
  { steps }: Pick<RunningWorkflow, 'steps'>,
): number | undefined {
  const { stepKey } = step;
  const own = steps.findIndex(({ stepId, id }) => stepId === stepKey || id === stepKey);
  const before = steps.slice(0, Math.max(0, own));
  if (before.some(({ active, type }) => active && stepTypeWaits(type))) return undefined;
  return ageMs(step) / 1_000;
}
