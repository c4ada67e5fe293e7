import {
  type Channel,
  executionDetail,
  ignoresSchedule,
  type RuleName,
  type JsonObject,
  type Severity,
  type StepType,
  type StepVariant,
  type StoredPreference,
  type WorkflowPreferences,
  type WorkflowStep,
} from '@clarion/contracts/core';
import { evaluatedConditions, matchFilters } from './conditions';
import type { Line } from './lines';
import { channelDecision, preferenceDetail, subscriberPreferences } from './preferences';
import type { RuleTrace } from './rule-trace';
import { isWithinSchedule } from './schedule';
import { runRuleRefusal } from './run-rule';
import type { Variables } from './variables';
import { Work } from './work';

/** Everything that decides whether a channel step runs. The workers and the dry run decide by the same facts. */
export type StepFacts = {
  channel: Channel;
  authored: Pick<WorkflowStep, 'id' | 'name' | 'filters' | 'variants' | 'controlValues'>;
  variables: Variables;
  now: Date;
  timezone?: string;
  workflow: { id: string; severity: Severity; preferences: WorkflowPreferences };
  notification: { severity: Severity; critical: boolean; tenant: string | null; contextKeys: string[] | null };
  preferences: StoredPreference[];
  /** The tenant that the notification names, when it exists. */
  tenant?: { identifier: string; name: string | null };
  /** A budget that the conditions of several steps share. Without it each step has a separate budget. */
  work?: Work;
  trace?: RuleTrace;
  /** Rules that do not stop the step although they fail: an explanation looks for all that do. */
  ignored?: ReadonlySet<RuleName>;
};

/** A step that runs: its content, and the details to record before those of the sending. */
export type Admitted = {
  admitted: true;
  controls: JsonObject;
  /** The id of the step or of the variant whose controls are used. */
  contentId: string;
  lines: Line[];
};
/** A step that does not run, and why. */
export type Refused = { admitted: false; state: 'canceled' | 'failed' | 'skipped'; lines: Line[] };

/** Decides whether a channel step runs (conditions, preferences, schedule), and then which content it has. */
export function admitStep(facts: StepFacts): Admitted | Refused {
  const { authored, variables, workflow, notification, tenant } = facts;
  // All conditions of a step share one budget.
  const work = new Work(facts.work);
  const refusal =
    conditionRefusal(facts, work) ??
    unless(facts, 'preferences', preferenceRefusal(facts)) ??
    unless(facts, 'schedule', scheduleRefusal(facts.channel, facts));
  if (refusal) return refusal;
  const lines: Line[] = [];
  if (notification.severity !== workflow.severity) {
    const raw = { from: workflow.severity, to: notification.severity };
    lines.push({ ...executionDetail('severityOverridden'), raw });
  }
  if (notification.tenant !== null) {
    lines.push(
      tenant
        ? { ...executionDetail('tenantSelected'), raw: { identifier: tenant.identifier, name: tenant.name } }
        : { ...executionDetail('tenantNotFound'), raw: { identifier: notification.tenant } },
    );
  }
  const content = chooseContent(authored, variables, work);
  if (content !== authored) {
    const raw = { variantId: content.id, name: content.name };
    lines.push({ ...executionDetail('variantChosen'), raw });
  }
  return { admitted: true, controls: content.controlValues, contentId: content.id, lines };
}

const unless = ({ ignored }: StepFacts, rule: RuleName, refusal: Refused | undefined): Refused | undefined =>
  ignored?.has(rule) ? undefined : refusal;

function conditionRefusal({ authored, variables, now, trace, ignored }: StepFacts, work: Work): Refused | undefined {
  if (authored.filters.length === 0) trace?.({ rule: 'conditions', passed: true, values: {} });
  else {
    const verdict = matchFilters(authored.filters, variables, work);
    trace?.(evaluatedConditions(verdict));
    const isIgnored = ignored?.has('conditions') === true;
    if (verdict.faults.length > 0 && !isIgnored) {
      return refusedStep('failed', executionDetail('stepFilterFailed'), { faults: verdict.faults });
    }
    if (!verdict.passed && !isIgnored) {
      const raw = { conditions: verdict.evaluated };
      return refusedStep('canceled', executionDetail('channelConditionsNotMet'), raw);
    }
  }
  const refusal = runRuleRefusal({ controls: authored.controlValues, variables, now, work, trace });
  if (!refusal || ignored?.has('skip') || ignored?.has('runIf')) return undefined;
  const { line, isFault } = refusal;
  return { admitted: false, state: isFault ? 'failed' : 'skipped', lines: [line] };
}

function preferenceRefusal({ workflow, preferences, notification, channel, trace }: StepFacts): Refused | undefined {
  const choices = subscriberPreferences(preferences, workflow.id, notification.contextKeys ?? []);
  const { enabled, decidedBy } = channelDecision({ workflow: workflow.preferences, ...choices }, channel);
  trace?.({ rule: 'preferences', passed: enabled, values: { channel, decidedBy } });
  return enabled ? undefined : refusedStep('canceled', preferenceDetail(decidedBy), { channel, decidedBy });
}

/** What decides whether the subscriber's schedule keeps a step from running. */
export type ScheduleFacts = Pick<StepFacts, 'preferences' | 'timezone' | 'now' | 'trace'> & {
  workflow: Pick<StepFacts['workflow'], 'id'>;
  notification: Pick<StepFacts['notification'], 'critical' | 'contextKeys'>;
};

/** Cancels a step of any type that is reached outside the subscriber's schedule. Undefined when it may run. */
export function scheduleRefusal(
  type: StepType,
  { workflow, preferences, notification, timezone, now, trace }: ScheduleFacts,
): Refused | undefined {
  if (preferences.length === 0 || notification.critical || ignoresSchedule(type)) {
    trace?.({ rule: 'schedule', passed: true, values: { critical: notification.critical } });
    return undefined;
  }
  const { schedule } = subscriberPreferences(preferences, workflow.id, notification.contextKeys ?? []);
  const isOpen = !schedule || isWithinSchedule(schedule, timezone, now);
  trace?.({
    rule: 'schedule',
    passed: isOpen,
    values: schedule ? { at: now.toISOString(), timezone: timezone ?? 'UTC', schedule } : {},
  });
  if (isOpen) return undefined;
  return refusedStep('canceled', executionDetail('outsideSchedule'), { schedule, timezone: timezone ?? 'UTC' });
}

type Content = Pick<WorkflowStep | StepVariant, 'id' | 'name' | 'controlValues'>;

function chooseContent(authored: StepFacts['authored'], variables: Variables, work: Work): Content {
  return (
    authored.variants.find((variant) => variant.active && matchFilters(variant.filters, variables, work).passed) ??
    authored
  );
}

export const refusedStep = (state: Refused['state'], line: Line, raw?: unknown): Refused => ({
  admitted: false,
  state,
  lines: [{ ...line, ...(raw !== undefined && { raw }) }],
});
