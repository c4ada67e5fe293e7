import {
  announcesQueued,
  type Channel,
  type DryRunDetailDto,
  type DryRunStepDto,
  type EarlierStepState,
  type EarlierStepStatus,
  executionDetail,
  type IntegrationHealth,
  isChannelStepType,
  type JsonObject,
  type ProviderId,
  type StoredPreference,
  type SubscriberRowId,
  type WorkflowStep,
  type RuleName,
} from '@clarion/contracts';
import { templateVariables } from '@clarion/content';
import {
  type ClaimedSubscriber,
  type Hold,
  type RunningWorkflow,
  type Surroundings,
  variableSources,
} from '@clarion/persistence';
import type { Candidate, Endpoint, EvaluatedRule, Line, SandboxRule, StepFacts, Variables, Work } from '@clarion/rules';
import { describeRule } from './explain/explain-rules';

export type Journey = {
  workflow: RunningWorkflow;
  steps: WorkflowStep[];
  payload: JsonObject;
  overrides: JsonObject | null;
  actor: JsonObject | null;
  notification: StepFacts['notification'];
  surroundings: Surroundings;
  /** The subscriber as the event would store it; without an id when it does not exist yet. */
  subscriber: Omit<ClaimedSubscriber, 'id'> & { id?: SubscriberRowId };
  preferences: StoredPreference[];
  /** The budget for the conditions of all events of the request. */
  work: Work;
  endpoints: Endpoint[];
  /** Warnings about the event itself; they are shown on the first step. */
  warnings: Line[];
  now: Date;
  /** The time to live in seconds, and when it ends. */
  ttl?: number;
  expiresAt?: number;
  outputs: Record<string, JsonObject>;
  /** The states of the channel steps so far, by stepId; no message is read. */
  earlier: Record<string, EarlierStepState>;
  /** Set when the remaining steps do not run: their explanation. */
  end?: Explanation;
  explained: DryRunStepDto[];
  /** The rules that were evaluated for the current step; absent when only the outcome is asked for. */
  rules?: EvaluatedRule[];
  /** Rules that do not stop a step although they fail, by stepId. */
  ignored?: IgnoredRules;
};

export type IgnoredRules = ReadonlyMap<string, ReadonlySet<RuleName>>;

export const isIgnored = ({ journey, step }: ReachedStep, rule: RuleName): boolean =>
  journey.ignored?.get(step.stepId)?.has(rule) ?? false;

export type ReachedStep = { journey: Journey; step: WorkflowStep };

export type ExplainedLine = Line & { providerId?: ProviderId };

/** What would happen to one step. `why` is the text of the last line unless it is given. */
export type Explanation = Pick<DryRunStepDto, 'outcome' | 'until' | 'providers' | 'content'> & {
  lines: ExplainedLine[];
  why?: string;
};

/** The part of an integration that decides which one sends, and the hold that keeps its messages waiting. */
export type DryRunAccount = Candidate & {
  name: string;
  health?: IntegrationHealth | null;
  hold?: Hold;
  /** The most messages a second, where an explanation shows it. */
  rateLimit?: number;
  sandbox?: SandboxRule;
};

export const PREVIOUS_STEP_FAILED: Explanation = {
  outcome: 'would_skip',
  lines: [executionDetail('previousStepFailed')],
};

export function variablesOf(journey: Journey): Variables {
  const { workflow, surroundings, payload, actor, subscriber, outputs, earlier } = journey;
  return templateVariables(
    variableSources({
      workflow,
      surroundings,
      earlier,
      step: { subscriber: { id: '' as SubscriberRowId, ...subscriber }, outputs, notification: { payload, actor } },
    }),
  ) as Variables;
}

export function trace({ rules }: Journey, rule: EvaluatedRule['rule'], passed: boolean, values: object = {}): void {
  rules?.push({ rule, passed, values: { ...values } });
}

export function explainStep({ journey, step }: ReachedStep, explanation: Explanation): void {
  const { lines, why = lines.at(-1)!.detail, ...outcome } = explanation;
  if (isChannelStepType(step.type)) {
    const status = statusOf(step.type, explanation);
    journey.earlier[step.stepId] = { status, seen: false, read: false, clicked: false };
  }
  const isFirst = journey.explained.length === 0;
  // A step behind the end of the journey is never queued.
  const isQueued = journey.end === undefined && announcesQueued(step.type);
  const details = [
    ...(isQueued ? [executionDetail('stepQueued')] : []),
    ...(isFirst ? journey.warnings : []),
    ...lines,
  ];
  if (journey.end !== undefined) trace(journey, 'previous_steps', false);
  const rules = journey.rules?.splice(0).map((rule) => describeRule(rule, why));
  journey.explained.push({
    stepId: step.stepId,
    type: step.type,
    ...outcome,
    why,
    details: details.map(toDetail),
    ...(rules && { rules }),
  });
}

/** A message that waits is sent later. An in-app message is delivered when it is stored. */
function statusOf(channel: Channel, { outcome }: Explanation): EarlierStepStatus {
  if (outcome === 'would_fail') return 'failed';
  if (outcome === 'would_skip') return 'skipped';
  return channel === 'in_app' ? 'delivered' : 'sent';
}

const toDetail = ({ status, detail, source, providerId, raw }: ExplainedLine): DryRunDetailDto => ({
  status,
  detail,
  ...(source && { source }),
  ...(providerId && { providerId }),
  ...(raw !== undefined && { raw }),
});
