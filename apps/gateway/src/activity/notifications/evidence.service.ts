import { Injectable } from '@nestjs/common';
import {
  type ComparedRunDto,
  DomainError,
  type DryRunStepDto,
  EXECUTION_DETAILS,
  groupBy,
  type NotificationComparisonDto,
  type NotificationId,
  type NotificationMessagesDto,
  type NotificationRulesDto,
  pick,
  RULE_NAMES,
  type RuleName,
  type SentMessageDto,
} from '@clarion/contracts';
import {
  type ActivityNotification,
  type ActivityRecord,
  Database,
  type ExecutionDetail,
  type KeyOwner,
  type LeftOut,
  type Message,
  NotificationRepository,
} from '@clarion/persistence';
import { DryRunService } from '../../triggers/dry-run.service';
import { withoutNulls } from '../../edge/http/page';
import { WorkflowDirectory } from '../../authoring/workflows/workflow-directory';
import { payloadChanges } from './payload-changes';
import { recordedRule } from './recorded-rules';

const placeOf = ({ rule }: { rule: RuleName }): number => RULE_NAMES.indexOf(rule);

type Found = { notification: ActivityNotification; record: ActivityRecord };
type DryRun = { steps: DryRunStepDto[] } | { missing: string };

/** Texts of details that a call of a provider left. */
const ANSWERS: ReadonlySet<string> = new Set([
  EXECUTION_DETAILS.messageSent.detail,
  EXECUTION_DETAILS.providerError.detail,
  EXECUTION_DETAILS.acceptedWithWarning.detail,
]);

/** What is known about one notification beyond its steps: its messages, the rules, and the last good run. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationRepository,
    private readonly workflows: WorkflowDirectory,
    private readonly dryRuns: DryRunService,
  ) {}

  async messages(owner: KeyOwner, id: NotificationId, withToday: boolean): Promise<NotificationMessagesDto> {
    const { notification, record } = await this.find(owner, id);
    const messages = await this.notifications.messages(owner.environmentId, notification);
    const stepKeys = new Map(record.steps.map((step) => [step.id as string, step.stepKey]));
    const details = groupBy(record.details, ({ messageId }) => messageId ?? '');
    const data = messages.map((message) =>
      toSentMessage(message, stepKeys.get(message.stepId) ?? '', details.get(message.id) ?? []),
    );
    if (!withToday) return { data };
    const today = await this.dryRun(owner, notification, new Date());
    return 'steps' in today ? { data, today: today.steps } : { data, todayMissing: today.missing };
  }

  /** In the order of evaluation. A recomputed rule is added where the record does not say what the rule decided. */
  async rules(owner: KeyOwner, id: NotificationId): Promise<NotificationRulesDto> {
    const { notification, record } = await this.find(owner, id);
    const run = await this.dryRun(owner, notification, notification.createdAt);
    const recomputed = 'steps' in run ? run.steps : [];
    const details = groupBy(record.details, (detail) => detail.stepId);
    const steps = record.steps.map(({ id: stepId, stepKey, type, state }) => {
      const recorded = (details.get(stepId) ?? []).flatMap((detail) => recordedRule(detail) ?? []);
      const known = new Set(recorded.map(({ rule }) => rule));
      const others = recomputed.find((step) => step.stepId === stepKey)?.rules ?? [];
      const added = others
        .filter(({ rule }) => !known.has(rule))
        .map((rule) => ({ ...rule, source: 'recomputed' as const }));
      const rules = [...recorded, ...added].toSorted((one, other) => placeOf(one) - placeOf(other));
      return { stepId: stepKey, type, status: state, rules };
    });
    return { steps, ...('missing' in run && { recomputedMissing: run.missing }) };
  }

  async comparison(owner: KeyOwner, id: NotificationId): Promise<NotificationComparisonDto> {
    const current = await this.find(owner, id);
    const goodId = await this.notifications.lastGood(owner.environmentId, current.notification);
    const good = goodId && (await this.notifications.find(owner.environmentId, goodId));
    return {
      current: toRun(current),
      ...(good && { good: toRun(good) }),
      payload: good ? payloadChanges(good.notification.payload, current.notification.payload) : [],
    };
  }

  /** Rendering waits for render processes, so it runs outside a transaction. */
  private dryRun(owner: KeyOwner, notification: ActivityNotification, now: Date): Promise<DryRun> {
    const { subscriber, workflow, payload, overrides, tenant, contextKeys } = notification;
    if (!subscriber) return Promise.resolve({ missing: 'The subscriber was deleted.' });
    if (!workflow) return Promise.resolve({ missing: 'The workflow was deleted.' });
    return this.database.beforehand(async () => {
      const found = await this.workflows.find(owner.environmentId, [workflow.workflowId]);
      const triggerable = found.get(workflow.workflowId);
      if (!triggerable) return { missing: 'The workflow cannot be triggered any more.' };
      const context = contextKeys && Object.fromEntries(contextKeys.map((key) => key.split(/:(.*)/s).slice(0, 2)));
      const event = {
        workflow: triggerable,
        recipients: [{ subscriberId: subscriber.subscriberId }],
        payload,
        overrides,
        actor: null,
        tenant,
        context,
      };
      const [explained] = await this.dryRuns.explain(owner.environmentId, [event], { now, traced: true });
      return { steps: explained!.recipients[0]?.steps ?? [] };
    });
  }

  private async find({ environmentId }: KeyOwner, id: NotificationId): Promise<Found> {
    const found = await this.notifications.find(environmentId, id);
    if (!found) throw new DomainError('not_found', 'Notification not found');
    return found;
  }
}

function toSentMessage(row: Message & LeftOut, stepId: string, details: ExecutionDetail[]): SentMessageDto {
  const { content } = row;
  const to = row.recipients ?? [row.email, row.phone].filter((address) => address !== null);
  return withoutNulls({
    _id: row.id,
    _jobId: row.stepId,
    stepId,
    ...pick(row, 'channel', 'status', 'providerId', 'providerMessageId'),
    to,
    title: row.title,
    subject: row.subject,
    content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ...pick(row, 'cta', 'data', 'overrides', 'leftOut', 'errorId', 'errorText'),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    answers: details
      .filter(({ detail, source }) => ANSWERS.has(detail) || source === 'Webhook')
      .map(({ createdAt, status, detail, raw }) => ({ at: createdAt.toISOString(), status, detail, raw })),
  }) as SentMessageDto;
}

function toRun({ notification, record }: Found): ComparedRunDto {
  const details = groupBy(record.details, (detail) => detail.stepId);
  return withoutNulls({
    _id: notification.id,
    createdAt: notification.createdAt.toISOString(),
    subscriberId: notification.subscriber?.subscriberId,
    workflowVersion: notification.workflowVersion,
    steps: record.steps.map(({ id, stepKey, type, state, providerId }) => {
      const times = (details.get(id) ?? []).map(({ createdAt }) => createdAt.getTime());
      const milliseconds = times.length > 0 ? Math.max(...times) - Math.min(...times) : undefined;
      return withoutNulls({ stepId: stepKey, type, status: state, providerId, milliseconds });
    }),
  });
}
