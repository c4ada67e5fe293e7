import {
  awaitedStepOf,
  type EarlierStepState,
  type EngineStepType,
  type DetailText,
  executionDetail,
  type JsonObject,
  type StoredPreference,
  type WorkflowPreferences,
  type WorkflowStep,
} from '@clarion/contracts/core';
import { type ScheduleFacts, scheduleRefusal } from './admit-step';
import type { Line } from './lines';
import { evaluatedConditions, matchFilters } from './conditions';
import { groupKeyOf } from './group-key';
import { isCritical, subscriberPreferences } from './preferences';
import { isWithinSchedule, nextOpening } from './schedule';
import { runRuleRefusal } from './run-rule';
import { delayOf, digestWindowOf, type TimingFault, throttleWindowOf } from './timing';
import { valueAt, type Variables } from './variables';
import { Work } from './work';

export type TimerFacts = ScheduleFacts & {
  type: EngineStepType;
  authored: Pick<WorkflowStep, 'filters' | 'controlValues'>;
  variables: Variables;
  overrides?: JsonObject;
  /** When the step was reached, if that is not now. A delay begins then, also when the engine runs it late. */
  reachedAt?: Date;
  /** A budget that the conditions of several steps share. Without it each step has a separate budget. */
  work?: Work;
};

export type TimerPlan =
  | { kind: 'failed' | 'skipped' | 'canceled'; line: Line }
  | { kind: 'completed'; line: Line; output?: JsonObject }
  /** `awaits`: the stepId of the step whose message ends the delay when it is read. */
  | { kind: 'delayed'; until: Date; awaits?: string; line: Line }
  /** The open windows in the database decide the rest. */
  | { kind: 'digest'; key: string; until: Date; delayMs: number; lookBackMs?: number; digest: JsonObject }
  | { kind: 'throttle'; key: string; until: Date; windowMs: number; threshold: number };

/** How often one digest or delay step may be extended to the next opening of the subscriber's schedule. */
const EXTENSIONS_ALLOWED = 3;

/** Why the step does not run, by its conditions and the schedule, before it is rendered. Undefined when it runs. */
export function refuseTimer(facts: TimerFacts): TimerPlan | undefined {
  const { authored, variables, now, trace } = facts;
  // All conditions of a step share one budget.
  const work = new Work(facts.work);
  const verdict = matchFilters(authored.filters, variables, work);
  trace?.(evaluatedConditions(verdict));
  if (verdict.faults.length > 0) return failed(executionDetail('stepFilterFailed'), { faults: verdict.faults });
  if (!verdict.passed) {
    const line = { ...executionDetail('engineConditionsNotMet'), raw: { conditions: verdict.evaluated } };
    return { kind: 'skipped', line };
  }
  const refusal = runRuleRefusal({ controls: authored.controlValues, variables, now, work, trace });
  if (refusal) return { kind: refusal.isFault ? 'failed' : 'skipped', line: refusal.line };
  const closed = scheduleRefusal(facts.type, facts);
  return closed && { kind: 'canceled', line: closed.lines[0]! };
}

const DECIDE: Record<EngineStepType, (facts: TimerFacts, controls: JsonObject) => TimerPlan> = {
  digest: decideDigest,
  delay: decideDelay,
  throttle: decideThrottle,
  custom: decideCustom,
};

/** Decides about a step that `refuseTimer` lets run; `controls` are rendered. */
export const decideTimer = (facts: TimerFacts, controls: JsonObject): TimerPlan => DECIDE[facts.type](facts, controls);

function decideDelay(facts: TimerFacts, controls: JsonObject): TimerPlan {
  const timing = delayOf({ ...facts, now: facts.reachedAt ?? facts.now, controls });
  if (!timing.ok) return failed(timingDetail(timing), { reason: timing.message });
  const raw = { delay: timing.delayMs, untilDate: timing.until.toISOString() };
  const { until } = timing;
  const awaits = awaitedStepOf(controls);
  if (awaits === undefined) return { kind: 'delayed', until, line: { ...executionDetail('stepDelayed'), raw } };
  const state = valueAt(facts.variables.steps, awaits) as Partial<EarlierStepState> | undefined;
  if (state?.read) return { kind: 'completed', line: executionDetail('awaitedMessageRead', { step: awaits }) };
  if (state?.status !== 'sent' && state?.status !== 'delivered') {
    return { kind: 'completed', line: executionDetail('awaitedMessageMissing', { step: awaits }) };
  }
  const line = { ...executionDetail('stepDelayed'), raw: { ...raw, untilReadOf: awaits } };
  return { kind: 'delayed', until, awaits, line };
}

function decideDigest(facts: TimerFacts, controls: JsonObject): TimerPlan {
  const timing = digestWindowOf({ ...facts, controls });
  if (!timing.ok) return failed(timingDetail(timing), { reason: timing.message });
  const group = groupKeyOf(facts.authored.controlValues['digestKey'], controls['digestKey'], facts.variables);
  if ('missing' in group) return failed(executionDetail('digestKeyMissing'), { digestKey: group.missing });
  const { until, delayMs, lookBackMs, digest } = timing;
  return { kind: 'digest', key: group.key, until, delayMs, digest, ...(lookBackMs !== undefined && { lookBackMs }) };
}

function decideThrottle(facts: TimerFacts, controls: JsonObject): TimerPlan {
  const { variables, timezone, now } = facts;
  const window = throttleWindowOf({ controls, variables, timezone, now });
  if (!window) return completed();
  if (!window.ok) {
    const detail = window.reason === 'past' ? executionDetail('throttleWindowInPast') : timingDetail(window);
    return failed(detail, { reason: window.message });
  }
  const group = groupKeyOf(facts.authored.controlValues['throttleKey'], controls['throttleKey'], variables);
  if ('missing' in group) return failed(executionDetail('throttleKeyMissing'), { throttleKey: group.missing });
  const { until, windowMs, threshold } = window;
  return { kind: 'throttle', key: group.key, until, windowMs, threshold };
}

/** The rendered controls are the output of the step: later steps read them as `steps.<stepId>`. */
function decideCustom(_facts: TimerFacts, { skip: _skip, runIf: _runIf, ...output }: JsonObject): TimerPlan {
  return completed(output);
}

/** What decides whether a step whose time has come waits for the subscriber's schedule. */
export type ExtensionFacts = {
  workflow: { id: string; preferences: WorkflowPreferences };
  preferences: StoredPreference[];
  contextKeys: string[] | null;
  timezone?: string;
  now: Date;
  extensions: number;
};

/** The detail of a step whose time has come while the schedule is closed. Without `until` the step goes on. */
export type Extension = { until?: Date; extensions: number; line: Line };

/** Undefined when the schedule is open or does not apply. */
export function extensionOf(facts: ExtensionFacts): Extension | undefined {
  const { workflow, preferences, contextKeys, timezone, now, extensions } = facts;
  if (isCritical(workflow.preferences)) return undefined;
  const { schedule } = subscriberPreferences(preferences, workflow.id, contextKeys ?? []);
  if (!schedule || isWithinSchedule(schedule, timezone, now)) return undefined;
  if (extensions >= EXTENSIONS_ALLOWED) {
    const raw = { scheduleExtensionsCount: extensions };
    return { extensions, line: { ...executionDetail('scheduleExtensionsExhausted'), raw } };
  }
  const until = nextOpening(schedule, timezone, now);
  if (!until) return undefined;
  const raw = {
    delay: until.getTime() - now.getTime(),
    nextAvailableTime: until.toISOString(),
    scheduleExtensionsCount: extensions + 1,
    maximum: EXTENSIONS_ALLOWED,
  };
  return { until, extensions: extensions + 1, line: { ...executionDetail('scheduleExtended'), raw } };
}

type FailedDetail = DetailText & { status: 'Failed' };

const timingDetail = ({ reason }: TimingFault): FailedDetail =>
  reason === 'limit' ? executionDetail('deferLimitExceeded') : executionDetail('timingInvalid');

const failed = (detail: FailedDetail, raw: object): TimerPlan => ({ kind: 'failed', line: { ...detail, raw } });

const completed = (output?: JsonObject): TimerPlan => ({
  kind: 'completed',
  line: { ...executionDetail('stepCompleted'), ...(output && { raw: output }) },
  ...(output && { output }),
});
