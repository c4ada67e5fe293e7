import type {
  DryRunDetailDto,
  DryRunStepDto,
  IntegrationHealth,
  JsonObject,
  ProviderId,
  StoredPreference,
  SubscriberRowId,
  WorkflowStep,
} from '@clarion/contracts';
import { templateVariables } from '@clarion/content';
import { type ClaimedSubscriber, type RunningWorkflow, type Surroundings, variableSources } from '@clarion/persistence';
import {
  type Candidate,
  type Doorway,
  type Line,
  STEP_QUEUED,
  type StepFacts,
  type Variables,
  type Work,
} from '@clarion/rules';

/** One recipient of an event on the way through the steps of its workflow. */
export type Journey = {
  workflow: RunningWorkflow;
  /** The active ones. */
  steps: WorkflowStep[];
  payload: JsonObject;
  overrides: JsonObject | null;
  actor: JsonObject | null;
  notification: StepFacts['notification'];
  surroundings: Surroundings;
  /** As it would be stored; without an id when it does not exist yet. */
  subscriber: Omit<ClaimedSubscriber, 'id'> & { id?: SubscriberRowId };
  preferences: StoredPreference[];
  /** What the conditions of all events of the request may cost. */
  work: Work;
  doorways: Doorway[];
  /** What went wrong on the way here, told on the first step. */
  warnings: Line[];
  /** The time at which the next step is reached. */
  now: Date;
  /** What the steps so far left for the ones behind them. */
  outputs: Record<string, JsonObject>;
  /** Why the steps that are left do not run. */
  end?: Explanation;
  told: DryRunStepDto[];
};

export type ToldLine = Line & { providerId?: ProviderId };

/** What would become of one step; `why` is the last line unless it is given. */
export type Explanation = Pick<DryRunStepDto, 'outcome' | 'until' | 'providers' | 'content'> & {
  lines: ToldLine[];
  why?: string;
};

/** An integration as far as the choice between several goes. */
export type DryRunAccount = Candidate & { name: string; health?: IntegrationHealth | null };

export function variablesOf({ workflow, surroundings, payload, actor, subscriber, outputs }: Journey): Variables {
  return templateVariables(
    variableSources({
      workflow,
      surroundings,
      step: { subscriber: { id: '' as SubscriberRowId, ...subscriber }, outputs, notification: { payload, actor } },
    }),
  ) as Variables;
}

export function tell(journey: Journey, step: WorkflowStep, explanation: Explanation): void {
  const { lines, why = lines.at(-1)!.detail, ...outcome } = explanation;
  const isFirst = journey.told.length === 0;
  // Timers say for themselves what they wait for; what is canceled in passing was never queued.
  const isQueued = journey.end === undefined && step.type !== 'delay' && step.type !== 'digest';
  const details = [...(isQueued ? [STEP_QUEUED] : []), ...(isFirst ? journey.warnings : []), ...lines];
  journey.told.push({ stepId: step.stepId, type: step.type, ...outcome, why, details: details.map(toDetail) });
}

const toDetail = ({ status, detail, source, providerId, raw }: ToldLine): DryRunDetailDto => ({
  status,
  detail,
  ...(source && { source }),
  ...(providerId && { providerId }),
  ...(raw !== undefined && { raw }),
});
