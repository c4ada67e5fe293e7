import type { WorkflowStep } from '@clarion/contracts/core';
import type { ClaimedNotification, ClaimedStep } from './repositories/steps/step-rows';
import type { Surroundings } from './repositories/surroundings.repository';
import type { RunningWorkflow } from './workflow-cache';

/** A claimed step with its workflow. */
export type RunningStep = {
  step: ClaimedStep;
  /** Undefined when the version does not contain the step, which only a damaged row can cause. */
  authored: WorkflowStep | undefined;
  workflow: RunningWorkflow;
  surroundings: Surroundings;
};

/** The workflow version that a claimed step runs, as `WorkflowCache.load` takes it. */
export const workflowReferenceOf = ({ notification, workflowUpdatedAt }: ClaimedStep) => ({
  workflowId: notification.workflowId,
  workflowVersion: notification.workflowVersion,
  workflowUpdatedAt,
});

/** The step as its author wrote it; undefined when the version does not have it. */
export const authoredStepOf = (
  { stepKey }: Pick<ClaimedStep, 'stepKey'>,
  { steps }: Pick<RunningWorkflow, 'steps'>,
): WorkflowStep | undefined => steps.find(({ stepId, id }) => stepId === stepKey || id === stepKey);

/** The part that templates and rules may read. */
export type DescribedStep = Pick<RunningStep, 'workflow' | 'surroundings'> & {
  step: Pick<ClaimedStep, 'subscriber' | 'outputs'> & { notification: Pick<ClaimedNotification, 'payload' | 'actor'> };
};

/** As plain rows of the database. */
export function variableSources({ step, workflow, surroundings }: DescribedStep) {
  const { notification, subscriber, outputs } = step;
  const actor = notification.actor;
  return {
    payload: notification.payload,
    subscriber: subscriber!,
    actor: actor && { subscriberId: '', ...EMPTY_PROFILE, ...actor },
    tenant: surroundings.tenant,
    contexts: surroundings.contexts,
    steps: outputs
      ? workflow.steps.flatMap(({ stepId, type }) => {
          const output = outputs[stepId];
          return output ? [{ stepId, type, output }] : [];
        })
      : [],
    workflow,
    environment: workflow.environment,
  };
}

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
