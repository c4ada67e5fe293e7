import {
  type EarlierStepState,
  type JsonObject,
  partition,
  readsEarlierSteps,
  type WorkflowStep,
} from '@clarion/contracts/core';
import type { EarlierStepRepository, EarlierSteps } from './steps/earlier-step.repository';
import type { ClaimedNotification, ClaimedStep } from './steps/step-rows';
import type { Surroundings } from './surroundings.repository';
import type { RunningWorkflow, WorkflowCache } from '../authoring/workflow-cache';

export type RunningStep = {
  step: ClaimedStep;
  /** Undefined when the version does not contain the step, which only a damaged row can cause. */
  authored: WorkflowStep | undefined;
  workflow: RunningWorkflow;
  surroundings: Surroundings;
  /** The states of the earlier steps, for steps that read it. */
  earlier?: EarlierSteps;
};

/** A step weighs 1, and more for each part of this size. Parsed JSON takes several times its bytes. */
const WEIGHED_BYTES = 16 * 1024;
export const weightOf = ({ bytes = 0 }: Partial<Pick<ClaimedStep, 'bytes'>>): number =>
  1 + Math.floor(bytes / WEIGHED_BYTES);

/** The workflow version that a claimed step runs, as `WorkflowCache.load` takes it. */
export const workflowReferenceOf = ({ environmentId, notification, workflowUpdatedAt }: ClaimedStep) => ({
  environmentId,
  workflowId: notification.workflowId,
  workflowVersion: notification.workflowVersion,
  workflowUpdatedAt,
});

/** The step as its author wrote it; undefined when the version does not have it. */
export const authoredStepOf = (
  { stepKey }: Pick<ClaimedStep, 'stepKey'>,
  { steps }: Pick<RunningWorkflow, 'steps'>,
): WorkflowStep | undefined => steps.find(({ stepId, id }) => stepId === stepKey || id === stepKey);

export type RunningStores = {
  workflows: Pick<WorkflowCache, 'load'>;
  surroundings: { load(steps: ClaimedStep[]): Promise<(step: ClaimedStep) => Surroundings> };
  earlierSteps: Pick<EarlierStepRepository, 'load'>;
};

/** What claimed steps refer to. `later`: those whose workflows do not fit into memory with the others. */
export async function loadRunning(
  { workflows, surroundings, earlierSteps }: RunningStores,
  claimed: ClaimedStep[],
): Promise<{ running: RunningStep[]; later: ClaimedStep[] }> {
  const workflowOf = await workflows.load(claimed.map(workflowReferenceOf));
  const [now, later] = partition(claimed, (step) => workflowOf(workflowReferenceOf(step)) !== undefined);
  const surroundingsOf = await surroundings.load(now);
  const running = now.map((step): RunningStep => {
    const workflow = workflowOf(workflowReferenceOf(step))!;
    return { step, workflow, authored: authoredStepOf(step, workflow), surroundings: surroundingsOf(step) };
  });
  return { running: await withEarlierSteps(earlierSteps, running), later };
}

/** Adds the states of earlier steps to the steps that read them: one statement, and none when no step reads them. */
async function withEarlierSteps(store: RunningStores['earlierSteps'], items: RunningStep[]): Promise<RunningStep[]> {
  const reading = items.filter(({ authored }) => authored && readsEarlierSteps(authored)).map(({ step }) => step);
  if (reading.length === 0) return items;
  const earlierOf = await store.load(reading);
  return items.map((item) => ({ ...item, earlier: earlierOf.get(item.step.id) }));
}

/** The part that templates and rules may read. */
export type DescribedStep = Pick<RunningStep, 'workflow' | 'surroundings'> & {
  earlier?: Record<string, EarlierStepState>;
  step: Pick<ClaimedStep, 'subscriber' | 'outputs'> & { notification: Pick<ClaimedNotification, 'payload' | 'actor'> };
};

/** As plain rows of the database. */
export function variableSources({ step, workflow, surroundings, earlier = {} }: DescribedStep) {
  const { notification, subscriber, outputs } = step;
  const actor = notification.actor;
  return {
    payload: notification.payload,
    subscriber: subscriber!,
    actor: actor && { subscriberId: '', ...EMPTY_PROFILE, ...actor },
    tenant: surroundings.tenant,
    contexts: surroundings.contexts,
    steps: workflow.steps.flatMap(({ stepId, type }) => {
      const output = outputs?.[stepId];
      const state = earlier[stepId];
      // An output of a custom step may have any name, also that of a field of the state.
      return output || state ? [{ stepId, type, output: { ...(state && shownState(state)), ...output } }] : [];
    }),
    workflow,
    environment: { variables: surroundings.variables, ...workflow.environment },
  };
}

const shownState = ({ status, seen, read, clicked }: EarlierStepState): JsonObject => ({ status, seen, read, clicked });

/** A subscriber without any profile field. */
export const EMPTY_PROFILE = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  avatar: null,
  locale: null,
  timezone: null,
  data: null,
  isOnline: null,
  lastOnlineAt: null,
};
