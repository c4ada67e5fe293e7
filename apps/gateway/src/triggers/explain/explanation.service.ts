import { Injectable } from '@nestjs/common';
import {
  type BlockerDto,
  type DryRunStepDto,
  type EvaluatedRuleDto,
  type ExplainDto,
  type ExplanationDto,
  type ExplanationOutcome,
  groupBy,
  isChannelStepType,
  type JsonObject,
  LIMITS,
  type SentAroundDto,
  type SentNotificationDto,
  type TriggerStatus,
} from '@clarion/contracts';
import {
  type ActivityNotification,
  type ActivityRecord,
  Database,
  type KeyOwner,
  LimitRepository,
  NotificationRepository,
  SubscriberRepository,
} from '@clarion/persistence';
import type { EvaluatedRule } from '@clarion/rules';
import { withoutNulls } from '../../edge/http/page';
import { found } from '../../audience/subscribers/subscribers.service';
import { type TriggerableWorkflow, WorkflowDirectory } from '../../authoring/workflows/workflow-directory';
import { notFound as workflowNotFound } from '../../authoring/workflows/workflows.service';
import { DryRunService } from '../dry-run.service';
import type { IgnoredRules } from '../journey';
import { blockerOf, findBlockers, PASSING_RULES } from './blockers';
import { describeRule } from './explain-rules';
import { refusingStatus } from '../trigger-verdict';

/** Real notifications are listed from this long before the time to this long after it. */
const AROUND_MS = 30 * 60 * 1000;

const REFUSED: Partial<Record<TriggerStatus, string>> = {
  trigger_not_active: 'The workflow is not active.',
  no_workflow_steps_defined: 'The workflow has no steps.',
  no_workflow_active_steps_defined: 'No step of the workflow is active.',
};

type Place = Pick<KeyOwner, 'environmentId'>;

/** Explains what a workflow would do for one subscriber at a time: every rule in order, and where it stops. */
@Injectable()
export class ExplanationService {
  constructor(
    private readonly database: Database,
    private readonly dryRuns: DryRunService,
    private readonly workflows: WorkflowDirectory,
    private readonly subscribers: SubscriberRepository,
    private readonly notifications: NotificationRepository,
    private readonly limits: LimitRepository,
  ) {}

  /** Rendering waits for render processes, so nothing of it runs inside a transaction. */
  explain(owner: Place, subscriberId: string, question: ExplainDto): Promise<ExplanationDto> {
    return this.database.beforehand(async () => {
      const { workflowId } = question;
      const [subscriber, workflows] = await Promise.all([
        this.subscribers.find(owner.environmentId, subscriberId),
        this.workflows.find(owner.environmentId, [workflowId]),
      ]);
      found(subscriber, subscriberId);
      const workflow = workflows.get(workflowId);
      if (!workflow) throw workflowNotFound(workflowId);
      const now = new Date();
      const at = question.at === undefined ? now : new Date(question.at);
      const { rules, payload } = await this.checkTrigger(owner, workflow, { payload: question.payload ?? {}, at });
      const accepted = rules.every(({ passed }) => passed);
      const event = { subscriberId, workflow, payload, at };
      const steps = accepted ? await this.steps(owner, event) : [];
      const blockers = [
        ...rules.flatMap((rule) => (rule.passed ? [] : blockerOf(rule))),
        ...(await findBlockers(steps, (ignored) => this.steps(owner, event, ignored))),
      ];
      return {
        subscriberId,
        workflowId,
        at: at.toISOString(),
        outcome: outcomeOf(steps, blockers),
        blockers,
        rules,
        steps,
        ...(at < now && { sent: await this.sentAround(owner, subscriberId, workflow, at) }),
      };
    });
  }

  /** The rules that a trigger has to pass before any step, and the payload with the defaults of the schema. */
  private async checkTrigger(
    owner: Place,
    workflow: TriggerableWorkflow,
    { payload, at }: { payload: JsonObject; at: Date },
  ): Promise<{ rules: EvaluatedRuleDto[]; payload: JsonObject }> {
    const status = refusingStatus(workflow, true);
    const { active, stepCount: steps, activeStepCount: activeSteps } = workflow;
    const values = { active, steps, activeSteps };
    const rules = [described({ rule: 'workflow', passed: !status, values }, status && REFUSED[status])];
    const limits = await this.checkLimits(owner, at);
    if (limits) rules.push(limits);
    if (status || limits?.passed === false) return { rules, payload };
    const [check] = await this.workflows.checkPayloads(owner.environmentId, [{ workflow, payload }]);
    const faults = check && !check.valid ? check.errors : [];
    rules.push(
      described(
        {
          rule: 'payload',
          passed: faults.length === 0,
          values: { validated: check !== undefined, ...(faults.length > 0 && { faults }) },
        },
        'The payload does not match the schema of the workflow.',
      ),
    );
    return { rules, payload: (check?.valid && check.payload) || payload };
  }

  /** The limits that an operator has set. Undefined without any. */
  private async checkLimits({ environmentId }: Place, at: Date): Promise<EvaluatedRuleDto | undefined> {
    const rows = await this.limits.applyingTo(environmentId);
    const until = new Date(new Date().setUTCHours(24, 0, 0, 0));
    const usedUp = rows.find(
      ({ messagesPerDay: most, messagesToday: made }) => most !== null && made >= most && at < until,
    );
    const row = usedUp ?? rows[0];
    if (!row) return undefined;
    const { eventsPerSecond, messagesPerDay, messagesToday, renderMsPerSecond, counts } = row;
    const isUsedUp = usedUp !== undefined;
    const figures = { eventsPerSecond, messagesPerDay, messagesToday, renderMsPerSecond, counts };
    return described(
      { rule: 'limits', passed: !isUsedUp, values: { ...figures, ...(isUsedUp && { until: until.toISOString() }) } },
      `The limit of ${messagesPerDay} messages a day is used up: events are refused until ${until.toISOString()}.`,
    );
  }

  private async steps(
    owner: Place,
    event: { subscriberId: string; workflow: TriggerableWorkflow; payload: JsonObject; at: Date },
    ignored?: IgnoredRules,
  ): Promise<DryRunStepDto[]> {
    const { subscriberId, workflow, payload, at } = event;
    const trigger = { workflow, recipients: [{ subscriberId }], payload };
    const [explained] = await this.dryRuns.explain(
      owner.environmentId,
      [{ ...trigger, overrides: null, actor: null, tenant: null, context: null }],
      { now: at, traced: true, ignored },
    );
    return explained!.recipients[0]!.steps;
  }

  private async sentAround(
    { environmentId }: Place,
    subscriberId: string,
    workflow: TriggerableWorkflow,
    at: Date,
  ): Promise<SentAroundDto> {
    const after = new Date(at.getTime() - AROUND_MS);
    const before = new Date(at.getTime() + AROUND_MS);
    const { rows, record, hasMore } = await this.notifications.list(
      environmentId,
      { subscribers: { subscriberIds: [subscriberId] }, templates: [workflow.id], after, before },
      { offset: 0, limit: LIMITS.explainedHistory },
    );
    return {
      after: after.toISOString(),
      before: before.toISOString(),
      notifications: toSentNotifications(rows, record),
      hasMore,
    };
  }
}

const described = (rule: EvaluatedRule, why = ''): EvaluatedRuleDto => describeRule(rule, why);

/** Only steps of a channel send. What is behind a step that waits, and what joins an open digest, is sent later. */
function outcomeOf(steps: DryRunStepDto[], blockers: BlockerDto[]): ExplanationOutcome {
  const firstWait = steps.findIndex(({ outcome }) => outcome === 'would_wait');
  const isSent = ({ type, outcome }: DryRunStepDto) => isChannelStepType(type) && outcome === 'would_send';
  if ((firstWait < 0 ? steps : steps.slice(0, firstWait)).some(isSent)) return 'would_send';
  const isLater = ({ type, outcome }: DryRunStepDto) =>
    isChannelStepType(type) && (outcome === 'would_send' || outcome === 'would_wait' || outcome === 'would_merge');
  // A step that waits, and that another rule stops afterwards, is not sent later.
  const stopped = new Set(blockers.filter(({ rule }) => !PASSING_RULES.has(rule)).map(({ stepId }) => stepId));
  return steps.some((step) => isLater(step) && !stopped.has(step.stepId)) ? 'would_wait' : 'would_not_send';
}

function toSentNotifications(rows: ActivityNotification[], { steps, details }: ActivityRecord): SentNotificationDto[] {
  const stepsOf = groupBy(steps, ({ notificationId }) => notificationId);
  const detailsOf = groupBy(details, ({ stepId }) => stepId);
  return rows.map(({ id, transactionId, createdAt }) => ({
    _id: id,
    transactionId,
    createdAt: createdAt.toISOString(),
    steps: (stepsOf.get(id) ?? []).map(({ id: stepId, stepKey, type, state }) =>
      withoutNulls({
        _id: stepId,
        stepId: stepKey,
        type,
        status: state,
        reason: detailsOf.get(stepId)?.at(-1)?.detail,
      }),
    ),
  }));
}
