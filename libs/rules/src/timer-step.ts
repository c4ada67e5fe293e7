import type { JsonObject, StoredPreference, WorkflowPreferences, WorkflowStep } from '@clarion/contracts/core';
import { type Line, type ScheduleFacts, scheduleRefusal } from './admit-step';
import { matchFilters } from './conditions';
import { groupKeyOf } from './group-key';
import { isCritical, subscriberPreferences } from './preferences';
import { isWithinSchedule, nextOpening } from './schedule';
import { runRuleRefusal } from './run-rule';
import { delayOf, digestWindowOf, type TimingFault, throttleWindowOf } from './timing';
import type { Variables } from './variables';
import { Work } from './work';

/** Everything that decides about a digest, delay, throttle or custom step when it is reached. */
export type TimerFacts = ScheduleFacts & {
  authored: Pick<WorkflowStep, 'filters' | 'controlValues'>;
  variables: Variables;
  /** Of the trigger. */
  overrides?: JsonObject;
  /** What the conditions of several steps may cost together; without it, those of each step alone. */
  work?: Work;
};

export type TimerVerdict =
  | { kind: 'failed' | 'skipped' | 'canceled'; line: Line }
  | { kind: 'completed'; line: Line; output?: JsonObject }
  | { kind: 'delayed'; until: Date; line: Line }
  /** Only who knows the open windows can say more. */
  | { kind: 'digest'; key: string; until: Date; delayMs: number; lookBackMs?: number; digest: JsonObject }
  | { kind: 'throttle'; key: string; until: Date; windowMs: number; threshold: number };

/** A digest or delay is moved into the subscriber's schedule at most this often. */
export const EXTENSIONS_ALLOWED = 3;

/** Conditions and schedule come first: what they keep from running is not rendered. Undefined when nothing does. */
export function refuseTimer(facts: TimerFacts): TimerVerdict | undefined {
  const { authored, variables, now } = facts;
  // All conditions of a step share what they may cost.
  const work = new Work(facts.work);
  const verdict = matchFilters(authored.filters, variables, work);
  if (verdict.faults.length > 0) return failed('Processing step filter failed', { faults: verdict.faults });
  if (!verdict.passed) return skipped('Step was skipped based on steps conditions', { conditions: verdict.evaluated });
  const refusal = runRuleRefusal(authored.controlValues, variables, now, work);
  if (refusal) return { kind: refusal.isFault ? 'failed' : 'skipped', line: refusal.line };
  const closed = scheduleRefusal(facts);
  return closed && { kind: 'canceled', line: closed.lines[0]! };
}

/** `controls` are rendered. */
export function decideTimer(facts: TimerFacts, controls: JsonObject): TimerVerdict {
  switch (facts.type) {
    case 'delay':
      return decideDelay(facts, controls);
    case 'digest':
      return decideDigest(facts, controls);
    case 'throttle':
      return decideThrottle(facts, controls);
    default:
      return decideCustom(controls);
  }
}

function decideDelay(facts: TimerFacts, controls: JsonObject): TimerVerdict {
  const timing = delayOf({ ...facts, controls });
  if (!timing.ok) return failed(timingDetail(timing.reason), { reason: timing.message });
  const raw = { delay: timing.delayMs, untilDate: timing.until.toISOString() };
  return { kind: 'delayed', until: timing.until, line: { status: 'Pending', detail: 'Step delayed', raw } };
}

function decideDigest(facts: TimerFacts, controls: JsonObject): TimerVerdict {
  const timing = digestWindowOf({ ...facts, controls });
  if (!timing.ok) return failed(timingDetail(timing.reason), { reason: timing.message });
  const group = groupKeyOf(facts.authored.controlValues['digestKey'], controls['digestKey'], facts.variables);
  if ('missing' in group) return failed('Digest key is missing in the payload', { digestKey: group.missing });
  const { until, delayMs, lookBackMs, digest } = timing;
  return { kind: 'digest', key: group.key, until, delayMs, digest, ...(lookBackMs !== undefined && { lookBackMs }) };
}

function decideThrottle(facts: TimerFacts, controls: JsonObject): TimerVerdict {
  const { variables, timezone, now } = facts;
  const window = throttleWindowOf({ controls, variables, timezone, now });
  if (!window) return completed();
  if (!window.ok) {
    const detail = window.reason === 'past' ? 'Throttle window date is in the past' : timingDetail(window.reason);
    return failed(detail, { reason: window.message });
  }
  const group = groupKeyOf(facts.authored.controlValues['throttleKey'], controls['throttleKey'], variables);
  if ('missing' in group) return failed('Throttle key is missing in the payload', { throttleKey: group.missing });
  const { until, windowMs, threshold } = window;
  return { kind: 'throttle', key: group.key, until, windowMs, threshold };
}

/** Its rendered controls are its output: `steps.<stepId>` in everything that follows. */
function decideCustom({ skip: _skip, runIf: _runIf, ...output }: JsonObject): TimerVerdict {
  return completed(output);
}

export type ExtensionFacts = {
  workflow: { id: string; preferences: WorkflowPreferences };
  preferences: StoredPreference[];
  contextKeys: string[] | null;
  timezone?: string;
  now: Date;
  /** How often the step was moved before. */
  extensions: number;
};

/** What is told of a step whose time has come while the schedule is closed; without `until` it goes on all the same. */
export type Extension = { until?: Date; extensions: number; line: Line };

/** Undefined when the schedule is open, or does not matter. */
export function extensionOf(facts: ExtensionFacts): Extension | undefined {
  const { workflow, preferences, contextKeys, timezone, now, extensions } = facts;
  if (isCritical(workflow.preferences)) return undefined;
  const { schedule } = subscriberPreferences(preferences, workflow.id, contextKeys ?? []);
  if (!schedule || isWithinSchedule(schedule, timezone, now)) return undefined;
  if (extensions >= EXTENSIONS_ALLOWED) {
    const detail = 'Step was executed due to maximum number of subscriber schedule extensions reached';
    return { extensions, line: { status: 'Success', detail, raw: { scheduleExtensionsCount: extensions } } };
  }
  const until = nextOpening(schedule, timezone, now);
  if (!until) return undefined;
  const detail = 'Step was extended to the next available time in the subscriber schedule';
  const raw = {
    delay: until.getTime() - now.getTime(),
    nextAvailableTime: until.toISOString(),
    scheduleExtensionsCount: extensions + 1,
    maximum: EXTENSIONS_ALLOWED,
  };
  return { until, extensions: extensions + 1, line: { status: 'Pending', detail, raw } };
}

const timingDetail = (reason: TimingFault['reason']): string =>
  reason === 'limit' ? 'Defer duration limit exceeded' : 'Invalid delay configuration';

const failed = (detail: string, raw: object): TimerVerdict => ({
  kind: 'failed',
  line: { status: 'Failed', detail, raw },
});

const skipped = (detail: string, raw: object): TimerVerdict => ({
  kind: 'skipped',
  line: { status: 'Success', detail, raw },
});

const completed = (output?: JsonObject): TimerVerdict => ({
  kind: 'completed',
  line: { status: 'Success', detail: 'Step completed', ...(output && { raw: output }) },
  ...(output && { output }),
});
