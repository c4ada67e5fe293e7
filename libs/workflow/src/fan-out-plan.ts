import type { Severity } from '@clarion/contracts/core';
import type { ClaimedTrigger, RunningWorkflow, TriggerProgress } from '@clarion/persistence';
import {
  type Audience,
  isCritical,
  readAudience,
  readContexts,
  severityOverride,
  unknownOverrideKeys,
} from '@clarion/rules';

/** The most notifications that are committed in one transaction. */
export const PAGE_SIZE = 1_000;

/** A claimed trigger with what all its notifications share, but not its workflow: a walk may last for hours. */
export type FanOutPlan = {
  trigger: ClaimedTrigger;
  audience: Audience;
  progress: Omit<TriggerProgress, 'state'>;
  /** By recipient id: channels of the recipient that could not be stored. Recorded on the recipient's first step. */
  channelFaults: Map<string, Set<string>>;
  /** Keys of the trigger's overrides that have no meaning. */
  unknownOverrides: string[];
};

/** What all triggers of a workflow share, by the objects of the cache of workflows. */
const shapes = new WeakMap<RunningWorkflow, Pick<TriggerProgress, 'steps' | 'channels'>>();

function shapeOf(workflow: RunningWorkflow) {
  let shape = shapes.get(workflow);
  if (!shape) {
    const active = workflow.steps.filter((step) => step.active);
    shape = {
      steps: active.map(({ stepId, type }) => ({ stepKey: stepId, type })),
      channels: [...new Set(active.map(({ type }) => type))],
    };
    shapes.set(workflow, shape);
  }
  return shape;
}

export function planFanOut(trigger: ClaimedTrigger, workflow: RunningWorkflow): FanOutPlan {
  const { steps, channels } = shapeOf(workflow);
  const overrides = trigger.overrides ?? undefined;
  const { keys } = readContexts(trigger.context);
  return {
    trigger,
    audience: readAudience(trigger),
    channelFaults: new Map(),
    unknownOverrides: unknownOverrideKeys(overrides),
    progress: {
      id: trigger.id,
      fence: trigger.fence,
      claimId: trigger.claimId,
      workflowId: workflow.id,
      steps,
      channels,
      tags: workflow.tags,
      severity: (severityOverride(overrides) as Severity | undefined) ?? workflow.severity,
      critical: isCritical(workflow.preferences),
      ...(keys.length > 0 && { contextKeys: keys }),
    },
  };
}

/** A committed page changes the row of the trigger: from then on it has the next fence. */
export function raiseFence({ trigger, progress }: FanOutPlan): void {
  trigger.fence += 1;
  progress.fence = trigger.fence;
}

/** True when no page of the trigger was committed yet. */
export const isFresh = ({ trigger }: FanOutPlan): boolean => trigger.cursor === null;

/** True when the trigger has recipients that are read in pages: members of topics, or all subscribers. */
export const needsWalk = ({ audience }: FanOutPlan): boolean => audience.broadcast || audience.topicKeys.length > 0;

/** Without what the event brought along for its recipients: very many walks may last for hours. */
export const planOfWalk = ({ trigger, audience, ...plan }: FanOutPlan): FanOutPlan => ({
  ...plan,
  trigger: { ...trigger, payload: {}, recipients: [], overrides: null, actor: null },
  audience: { ...audience, individuals: [] },
});

export function groupByPage(plans: FanOutPlan[]): FanOutPlan[][] {
  const groups: FanOutPlan[][] = [];
  let free = 0;
  for (const plan of plans) {
    const size = plan.audience.individuals.length;
    if (groups.length === 0 || size > free) {
      groups.push([]);
      free = PAGE_SIZE;
    }
    groups.at(-1)!.push(plan);
    free -= size;
  }
  return groups;
}
