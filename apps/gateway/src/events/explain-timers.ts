import type { EnvironmentId, JsonObject, WorkflowStep } from '@clarion/contracts';
import { newId } from '@clarion/contracts';
import type { TemplateRenderer } from '@clarion/content';
import type { DryRunRepository, OpenWindow, WindowQuestion } from '@clarion/persistence';
import {
  contentFaultLine,
  decideTimer,
  DELAY_FINISHED,
  DIGEST_SKIPPED,
  extensionOf,
  type Line,
  PREVIOUS_FAILED,
  refuseTimer,
  Slices,
  THROTTLED,
  type TimerFacts,
  type TimerVerdict,
} from '@clarion/rules';
import { type Journey, tell, variablesOf } from './journey';

type Reached = { journey: Journey; step: WorkflowStep };
type Verdict = Reached & { verdict: TimerVerdict };

const NO_WINDOW: OpenWindow = { digest: null, events: null, expiresAt: null };

/** What the steps would do that the engine runs itself: conditions, then controls, then the windows that are open. */
export async function explainTimers(
  { templates, store }: { templates: TemplateRenderer; store: DryRunRepository },
  environmentId: EnvironmentId,
  reached: Reached[],
): Promise<void> {
  const verdicts: Verdict[] = [];
  const admitted: (Reached & { facts: TimerFacts })[] = [];
  const slices = new Slices();
  for (const one of reached) {
    if (slices.isOver) await slices.rest();
    const facts = factsOf(one);
    const verdict = refuseTimer(facts);
    if (verdict) verdicts.push({ ...one, verdict });
    else admitted.push({ ...one, facts });
  }
  templates.debit(environmentId, slices.ms);
  const renderings = await templates.renderMany(
    admitted.map(({ facts }) => ({
      environmentId,
      controls: facts.authored.controlValues,
      variables: facts.variables as unknown as JsonObject,
    })),
  );
  for (const [index, { facts, ...one }] of admitted.entries()) {
    const rendering = renderings[index]!;
    const verdict: TimerVerdict = rendering.ok
      ? decideTimer(facts, rendering.controls)
      : { kind: 'failed', line: contentFaultLine(rendering.fault) };
    verdicts.push({ ...one, verdict });
  }
  const windows = await openWindows(store, environmentId, verdicts);
  for (const verdict of verdicts) conclude(verdict, windows.get(verdict) ?? NO_WINDOW);
}

function factsOf({ journey, step }: Reached): TimerFacts {
  const { workflow, preferences, notification, subscriber, now, overrides, work } = journey;
  return {
    type: step.type,
    authored: step,
    variables: variablesOf(journey),
    overrides: overrides ?? undefined,
    timezone: subscriber.timezone ?? undefined,
    now,
    workflow,
    notification,
    preferences,
    work,
  };
}

/** One question for all; who does not exist yet has nothing open. */
async function openWindows(
  store: DryRunRepository,
  environmentId: EnvironmentId,
  verdicts: Verdict[],
): Promise<Map<Verdict, OpenWindow>> {
  const asking = verdicts.flatMap((one): { one: Verdict; question: WindowQuestion }[] => {
    const { verdict, journey, step } = one;
    const subscriberId = journey.subscriber.id;
    if (subscriberId === undefined || (verdict.kind !== 'digest' && verdict.kind !== 'throttle')) return [];
    const question = { workflowId: journey.workflow.id, stepKey: step.stepId, subscriberId, key: verdict.key };
    return [{ one, question }];
  });
  const windows = await store.windows(
    environmentId,
    asking.map(({ question }) => question),
  );
  return new Map(asking.map(({ one }, index) => [one, windows[index]!]));
}

function conclude({ journey, step, verdict }: Verdict, window: OpenWindow): void {
  switch (verdict.kind) {
    case 'failed':
      tell(journey, step, { outcome: 'would_fail', lines: [verdict.line] });
      journey.end = { outcome: 'would_skip', lines: [{ status: 'Failed', detail: PREVIOUS_FAILED }] };
      return;
    case 'skipped':
    case 'canceled':
      return tell(journey, step, { outcome: 'would_skip', lines: [verdict.line] });
    case 'completed':
      tell(journey, step, { outcome: 'would_complete', lines: [verdict.line] });
      if (verdict.output) journey.outputs[step.stepId] = verdict.output;
      return;
    case 'delayed':
      return wait({ journey, step }, verdict.until, verdict.line, DELAY_FINISHED);
    case 'digest':
      return digest({ journey, step }, verdict, window);
    case 'throttle':
      return throttle({ journey, step }, verdict, window);
  }
}

/** The time passes, up to the next opening of the subscriber's schedule where the step says so. */
function wait({ journey, step }: Reached, until: Date, begin: Line, end: Line): void {
  const { workflow, preferences, notification, subscriber } = journey;
  const lines = [begin];
  let due = until;
  for (let extensions = 0; step.controlValues['extendToSchedule'] === true;) {
    const extension = extensionOf({
      workflow,
      preferences,
      contextKeys: notification.contextKeys,
      timezone: subscriber.timezone ?? undefined,
      now: due,
      extensions,
    });
    if (!extension) break;
    lines.push(extension.line);
    if (!extension.until) break;
    due = extension.until;
    extensions = extension.extensions;
  }
  const why = lines.at(-1)!.detail;
  tell(journey, step, { outcome: 'would_wait', until: due.toISOString(), why, lines: [...lines, end] });
  journey.now = due;
}

function digest(
  { journey, step }: Reached,
  { until, delayMs, lookBackMs }: Extract<TimerVerdict, { kind: 'digest' }>,
  window: OpenWindow,
): void {
  if (lookBackMs !== undefined && window.events === null) {
    return tell(journey, step, { outcome: 'would_skip', lines: [DIGEST_SKIPPED] });
  }
  if (window.digest) {
    const raw = { digestStepId: window.digest.stepId, notificationId: window.digest.notificationId };
    const line: Line = { status: 'Success', detail: 'Digest was merged with other digest', raw };
    tell(journey, step, { outcome: 'would_merge', lines: [line] });
    // They are the other digest's now, and their own record stays empty.
    journey.end = { outcome: 'would_merge', lines: [], why: line.detail };
    return;
  }
  const events = [{ id: newId(), time: journey.now.toISOString(), payload: journey.payload }];
  journey.outputs[step.stepId] = { events, eventCount: 1 };
  wait(
    { journey, step },
    until,
    { status: 'Pending', detail: 'Step digested', raw: { delay: delayMs, untilDate: until.toISOString() } },
    { status: 'Success', detail: 'Digest triggered events', raw: { eventCount: 1, events } },
  );
}

function throttle(
  { journey, step }: Reached,
  { until, threshold }: Extract<TimerVerdict, { kind: 'throttle' }>,
  window: OpenWindow,
): void {
  const executionCount = (window.events ?? 0) + 1;
  const shouldSkip = executionCount > threshold;
  const raw = { shouldSkip, executionCount, threshold, throttledUntil: (window.expiresAt ?? until).toISOString() };
  const detail = shouldSkip ? THROTTLED : 'Step completed';
  const outcome = shouldSkip ? 'would_skip' : 'would_complete';
  tell(journey, step, { outcome, lines: [{ status: 'Success', detail, raw }] });
  if (shouldSkip) journey.end = { outcome: 'would_skip', lines: [{ status: 'Success', detail: THROTTLED }] };
}
