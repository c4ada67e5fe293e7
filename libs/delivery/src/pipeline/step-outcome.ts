import type { NewDetail, RunningStep, StepOutcome } from '@clarion/persistence';
import { independentSteps } from '@clarion/rules';
import type { SentLine, StepResult } from './step-result';

/** A step with as much of its workflow as is known: a quarantined step is recorded without its surroundings. */
export type SettledStep = Pick<RunningStep, 'step'> & Partial<RunningStep>;

export function outcomeOf(item: SettledStep, result: StepResult): StepOutcome {
  const { step, authored } = item;
  // Also after an attempt that did not count: its account is stored.
  const isRetry = step.attempt > 1 || step.inDoubt || step.integrationId !== null;
  const halts = result.state === 'failed' && authored?.shouldStopOnFail === true;
  const then = result.state === 'queued' ? 'wait' : halts ? 'halt' : 'advance';
  return {
    id: step.id,
    fence: step.fence,
    state: result.state,
    then,
    details: result.lines.map((line) => detailOf(line, isRetry)),
    messages: result.messages,
    ...(then === 'wait' ? releasesOf(item) : step.hasReleased && { hasReleased: true }),
    ...(step.recorded && { recorded: step.recorded }),
    ...(result.waitMs !== undefined && { dueInMs: result.waitMs }),
    ...(result.waitsFor !== undefined && { waitsFor: result.waitsFor }),
    ...(result.attempt !== undefined && { attempt: result.attempt }),
    ...(result.account && { providerId: result.account.providerId, integrationId: result.account.id }),
    ...(result.error && { error: result.error }),
  } as StepOutcome;
}

/** The steps that run while this one waits for a retry. */
function releasesOf({ workflow, authored }: SettledStep): Pick<StepOutcome, 'releases'> {
  const releases = workflow && authored ? independentSteps(workflow, authored) : [];
  return releases.length > 0 ? { releases } : {};
}

function detailOf(line: SentLine, isRetry: boolean): NewDetail {
  const { status, detail: text, source, providerId, messageId, raw, at } = line;
  const detail: NewDetail = { status, detail: text };
  if (source) detail.source = source;
  if (providerId !== undefined) detail.providerId = providerId;
  if (messageId !== undefined) detail.messageId = messageId;
  if (line.isRetry ?? isRetry) detail.isRetry = true;
  if (at !== undefined) detail.at = at;
  if (raw !== undefined) detail.raw = typeof raw === 'string' ? raw : JSON.stringify(raw);
  return detail;
}

/** The outcome without texts of tenants and providers, which can always be stored. */
export const withoutContent = (outcome: StepOutcome): StepOutcome => ({
  ...outcome,
  details: outcome.details.map(({ raw: _, ...detail }) => detail),
  messages: outcome.messages?.map((message) => ({ ...message, content: '', data: undefined, errorText: undefined })),
});
