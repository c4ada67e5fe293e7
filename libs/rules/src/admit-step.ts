import type {
  Channel,
  JsonObject,
  Severity,
  StepType,
  StepVariant,
  StoredPreference,
  WorkflowPreferences,
  WorkflowStep,
} from '@clarion/contracts/core';
import { matchFilters } from './conditions';
import { effectivePreferences, preferenceDetail, subscriberPreferences } from './preferences';
import { isWithinSchedule } from './schedule';
import { runRuleRefusal } from './run-rule';
import type { Variables } from './variables';
import { Work } from './work';

/** One line of a step's record, before it has an id. */
export type Line = {
  status: 'Success' | 'Warning' | 'Failed' | 'Pending';
  detail: string;
  raw?: unknown;
  source?: 'Credentials' | 'Internal' | 'Payload' | 'Webhook';
};

/** Everything that decides whether a channel step runs. Whoever runs one, and whoever explains one, asks with the same facts. */
export type StepFacts = {
  channel: Channel;
  authored: Pick<WorkflowStep, 'id' | 'name' | 'filters' | 'variants' | 'controlValues'>;
  variables: Variables;
  now: Date;
  timezone?: string;
  workflow: { id: string; severity: Severity; preferences: WorkflowPreferences };
  notification: { severity: Severity; critical: boolean; tenant: string | null; contextKeys: string[] | null };
  /** As stored for the subscriber. */
  preferences: StoredPreference[];
  /** The tenant that the notification names, when it exists. */
  tenant?: object;
  /** What the conditions of several steps may cost together; without it, those of each step alone. */
  work?: Work;
};

/** A step that goes on, with its contents and what is to be told about the way there. */
export type Admitted = {
  admitted: true;
  controls: JsonObject;
  /** Where the controls come from: the step itself or one of its variants. */
  contentId: string;
  lines: Line[];
};
export type Refused = { admitted: false; state: 'canceled' | 'failed' | 'skipped'; lines: Line[] };

/** Not subject to the hours in which a subscriber wants to be reached. */
const ALWAYS_OPEN: readonly StepType[] = ['in_app', 'delay', 'digest'];

/** Whether a channel step runs at all: conditions, preferences, schedule; then which contents it has. */
export function admitStep(facts: StepFacts): Admitted | Refused {
  const { authored, variables, workflow, notification, tenant } = facts;
  const { channel: type } = facts;
  // All conditions of a step share what they may cost.
  const work = new Work(facts.work);
  const refusal = conditionRefusal(facts, work) ?? preferenceRefusal(facts) ?? scheduleRefusal({ ...facts, type });
  if (refusal) return refusal;
  const lines: Line[] = [];
  if (notification.severity !== workflow.severity) {
    const raw = { from: workflow.severity, to: notification.severity };
    lines.push({ status: 'Pending', detail: 'Severity for the message was overridden', raw });
  }
  if (notification.tenant !== null) {
    lines.push(
      tenant
        ? { status: 'Pending', detail: 'Tenant context selected', raw: tenant }
        : { status: 'Failed', detail: 'Tenant identifier not found', raw: { identifier: notification.tenant } },
    );
  }
  const content = chooseContent(authored, variables, work);
  if (content !== authored) {
    const raw = { variantId: content.id, name: content.name };
    lines.push({ status: 'Pending', detail: 'Variant was chosen by the provided condition criteria', raw });
  }
  return { admitted: true, controls: content.controlValues, contentId: content.id, lines };
}

function conditionRefusal({ authored, variables, now }: StepFacts, work: Work): Refused | undefined {
  if (authored.filters.length > 0) {
    const verdict = matchFilters(authored.filters, variables, work);
    if (verdict.faults.length > 0) {
      return refusedStep('failed', 'Failed', 'Processing step filter failed', { faults: verdict.faults });
    }
    if (!verdict.passed) {
      const raw = { conditions: verdict.evaluated };
      return refusedStep('canceled', 'Failed', 'Step was skipped based on steps conditions', raw);
    }
  }
  const refusal = runRuleRefusal(authored.controlValues, variables, now, work);
  if (!refusal) return undefined;
  const { line, isFault } = refusal;
  return { admitted: false, state: isFault ? 'failed' : 'skipped', lines: [line] };
}

function preferenceRefusal({ workflow, preferences, notification, channel }: StepFacts): Refused | undefined {
  const choices = subscriberPreferences(preferences, workflow.id, notification.contextKeys ?? []);
  const { channels } = effectivePreferences({ workflow: workflow.preferences, ...choices });
  const { enabled, decidedBy } = channels[channel];
  return enabled ? undefined : refusedStep('canceled', 'Success', preferenceDetail(decidedBy), { channel, decidedBy });
}

export type ScheduleFacts = Pick<StepFacts, 'preferences' | 'timezone' | 'now'> & {
  type: StepType;
  workflow: Pick<StepFacts['workflow'], 'id'>;
  notification: Pick<StepFacts['notification'], 'critical' | 'contextKeys'>;
};

/** Steps of every type are asked, those that the engine runs itself too. */
export function scheduleRefusal({
  type,
  workflow,
  preferences,
  notification,
  timezone,
  now,
}: ScheduleFacts): Refused | undefined {
  if (notification.critical || ALWAYS_OPEN.includes(type)) return undefined;
  const { schedule } = subscriberPreferences(preferences, workflow.id, notification.contextKeys ?? []);
  if (!schedule || isWithinSchedule(schedule, timezone, now)) return undefined;
  const detail = "The step was skipped as it fell outside the subscriber's schedule";
  return refusedStep('canceled', 'Success', detail, { schedule, timezone: timezone ?? 'UTC' });
}

type Content = Pick<WorkflowStep | StepVariant, 'id' | 'name' | 'controlValues'>;

function chooseContent(authored: StepFacts['authored'], variables: Variables, work: Work): Content {
  return (
    authored.variants.find((variant) => variant.active && matchFilters(variant.filters, variables, work).passed) ??
    authored
  );
}

export const refusedStep = (
  state: Refused['state'],
  status: Line['status'],
  detail: string,
  raw?: unknown,
): Refused => ({
  admitted: false,
  state,
  lines: [{ status, detail, ...(raw !== undefined && { raw }) }],
});
