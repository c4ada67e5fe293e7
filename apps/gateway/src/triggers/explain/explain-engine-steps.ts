import { type EngineStepType, type EnvironmentId, executionDetail, type JsonObject, newId } from '@clarion/contracts';
import type { TemplateRenderer } from '@clarion/content';
import type { DryRunRepository, OpenWindow, WindowQuestion } from '@clarion/persistence';
import {
  contentFaultLine,
  decideTimer,
  extensionOf,
  type Line,
  refuseTimer,
  Slices,
  type TimerFacts,
  type TimerPlan,
} from '@clarion/rules';
import { explainStep, PREVIOUS_STEP_FAILED, type ReachedStep, trace, variablesOf } from '../journey';

type DecidedStep = ReachedStep & { verdict: TimerPlan };

const NO_WINDOW: OpenWindow = { digest: null, events: null, expiresAt: null };

/** What steps of the engine would do. The order of the checks is the engine's: conditions, controls, open windows. */
export async function explainEngineSteps(
  { templates, store }: { templates: TemplateRenderer; store: DryRunRepository },
  environmentId: EnvironmentId,
  reached: ReachedStep[],
): Promise<void> {
  const decided: DecidedStep[] = [];
  const admitted: (ReachedStep & { facts: TimerFacts })[] = [];
  const slices = new Slices();
  for (const item of reached) {
    if (slices.isOver) await slices.rest();
    const facts = factsOf(item);
    const verdict = refuseTimer(facts);
    if (verdict) decided.push({ ...item, verdict });
    else admitted.push({ ...item, facts });
  }
  templates.debit(environmentId, slices.ms);
  const renderings = await templates.renderMany(
    admitted.map(({ facts }) => ({
      environmentId,
      controls: facts.authored.controlValues,
      variables: facts.variables as unknown as JsonObject,
    })),
  );
  for (const [index, { facts, ...item }] of admitted.entries()) {
    const rendering = renderings[index]!;
    const verdict: TimerPlan = rendering.ok
      ? decideTimer(facts, rendering.controls)
      : { kind: 'failed', line: contentFaultLine(rendering.fault) };
    if (verdict.kind === 'failed') {
      trace(item.journey, rendering.ok ? 'timing' : 'content', false, verdict.line.raw as object);
    }
    decided.push({ ...item, verdict });
  }
  const windows = await openWindows(store, environmentId, decided);
  for (const item of decided) explain(item, windows.get(item) ?? NO_WINDOW);
}

function factsOf({ journey, step }: ReachedStep): TimerFacts {
  const { workflow, preferences, notification, subscriber, now, overrides, work, rules } = journey;
  return {
    type: step.type as EngineStepType,
    authored: step,
    variables: variablesOf(journey),
    overrides: overrides ?? undefined,
    timezone: subscriber.timezone ?? undefined,
    now,
    workflow,
    notification,
    preferences,
    work,
    ...(rules && { trace: (rule) => rules.push(rule) }),
  };
}

/** Reads the open windows of all steps in one query. A subscriber that does not exist yet has none. */
async function openWindows(
  store: DryRunRepository,
  environmentId: EnvironmentId,
  decided: DecidedStep[],
): Promise<Map<DecidedStep, OpenWindow>> {
  const queries = decided.flatMap((item): { item: DecidedStep; question: WindowQuestion }[] => {
    const { verdict, journey, step } = item;
    const subscriberId = journey.subscriber.id;
    if (subscriberId === undefined || (verdict.kind !== 'digest' && verdict.kind !== 'throttle')) return [];
    const question = { workflowId: journey.workflow.id, stepKey: step.stepId, subscriberId, key: verdict.key };
    return [{ item, question }];
  });
  const windows = await store.windows(
    environmentId,
    queries.map(({ question }) => question),
  );
  return new Map(queries.map(({ item }, index) => [item, windows[index]!]));
}

function explain({ journey, step, verdict }: DecidedStep, window: OpenWindow): void {
  const reached = { journey, step };
  switch (verdict.kind) {
    case 'failed':
      explainStep(reached, { outcome: 'would_fail', lines: [verdict.line] });
      journey.end = PREVIOUS_STEP_FAILED;
      return;
    case 'skipped':
    case 'canceled':
      return explainStep(reached, { outcome: 'would_skip', lines: [verdict.line] });
    case 'completed':
      explainStep(reached, { outcome: 'would_complete', lines: [verdict.line] });
      if (verdict.output) journey.outputs[step.stepId] = verdict.output;
      return;
    case 'delayed':
      return explainWait(reached, verdict.until, verdict.line, executionDetail('delayFinished'));
    case 'digest':
      return explainDigest(reached, verdict, window);
    case 'throttle':
      return explainThrottle(reached, verdict, window);
    default:
      verdict satisfies never;
  }
}

/** The step waits until its time, or with `extendToSchedule` until the next opening of the subscriber's schedule. */
function explainWait({ journey, step }: ReachedStep, until: Date, begin: Line, end: Line): void {
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
  trace(journey, 'timing', true, { until: due.toISOString() });
  explainStep({ journey, step }, { outcome: 'would_wait', until: due.toISOString(), why, lines: [...lines, end] });
  journey.now = due;
}

function explainDigest(
  { journey, step }: ReachedStep,
  { until, delayMs, lookBackMs }: Extract<TimerPlan, { kind: 'digest' }>,
  window: OpenWindow,
): void {
  if (lookBackMs !== undefined && window.events === null) {
    trace(journey, 'timing', true);
    return explainStep({ journey, step }, { outcome: 'would_skip', lines: [executionDetail('digestSkipped')] });
  }
  if (window.digest) {
    const raw = { digestStepId: window.digest.stepId, notificationId: window.digest.notificationId };
    const line: Line = { ...executionDetail('digestMerged'), raw };
    trace(journey, 'timing', true, raw);
    explainStep({ journey, step }, { outcome: 'would_merge', lines: [line] });
    // The steps behind it belong to the notification of the open window and record no details here.
    journey.end = { outcome: 'would_merge', lines: [], why: line.detail };
    return;
  }
  const events = [{ id: newId(), time: journey.now.toISOString(), payload: journey.payload }];
  journey.outputs[step.stepId] = { events, eventCount: 1 };
  explainWait(
    { journey, step },
    until,
    { ...executionDetail('stepDigested'), raw: { delay: delayMs, untilDate: until.toISOString() } },
    { ...executionDetail('digestTriggered'), raw: { eventCount: 1, events } },
  );
}

function explainThrottle(
  { journey, step }: ReachedStep,
  { until, threshold }: Extract<TimerPlan, { kind: 'throttle' }>,
  window: OpenWindow,
): void {
  const executionCount = (window.events ?? 0) + 1;
  const shouldSkip = executionCount > threshold;
  const raw = { shouldSkip, executionCount, threshold, throttledUntil: (window.expiresAt ?? until).toISOString() };
  const detail = executionDetail(shouldSkip ? 'throttleLimitExceeded' : 'stepCompleted');
  const outcome = shouldSkip ? 'would_skip' : 'would_complete';
  trace(journey, 'timing', !shouldSkip, raw);
  explainStep({ journey, step }, { outcome, lines: [{ ...detail, raw }] });
  if (shouldSkip) journey.end = { outcome: 'would_skip', lines: [executionDetail('throttleLimitExceeded')] };
}
