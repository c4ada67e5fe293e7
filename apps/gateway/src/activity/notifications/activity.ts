import {
  DIGEST_TYPES,
  EXECUTION_DETAILS,
  type ExecutionDetailDto,
  groupBy,
  isJsonObject,
  type JobDigestDto,
  type JobDto,
  type JobMessageDto,
  type JobStepDto,
  type JsonObject,
  LIMITS,
  type NotificationDto,
  type StepFilterDto,
  type StepVariant,
  traceIdOf,
  type WorkflowStep,
  pick,
} from '@clarion/contracts';
import type {
  ActivityNotification,
  ActivityRecord,
  ActivityStep,
  ExecutionDetail,
  KeyOwner,
  LeftOut,
  Message,
  WorkflowSteps,
} from '@clarion/persistence';
import { writtenWait } from '@clarion/rules';
import { fieldsLeftOut, withoutNulls } from '../../edge/http/page';
import { NO_REPLIES } from '../messages/embedded-workflow';
import { toTriggers } from '../../authoring/workflows/workflow-triggers';

/**
 * Every step repeats the payload and overrides of the trigger. Larger ones are shown on the notification only, and all
 * of them when the repetitions of a page would be too large.
 */
const REPEATED_BYTES = 16 * 1024;

class Repetitions {
  private left: number = LIMITS.pageBytes;

  /** The value if it may be repeated so many times. */
  of(value: JsonObject | null, times: number): JsonObject | undefined {
    const bytes = value ? JSON.stringify(value).length : 0;
    if (!value || bytes > REPEATED_BYTES || bytes * times > this.left) return undefined;
    this.left -= bytes * times;
    return value;
  }
}

const SHOWN = { payload: 'payload', controls: 'controls', to: 'to' };

export function toNotificationDtos(
  owner: KeyOwner,
  rows: ActivityNotification[],
  { steps, details, versions }: ActivityRecord,
  messages?: (Message & LeftOut)[],
): NotificationDto[] {
  const stepsOf = groupBy(steps, (step) => step.notificationId);
  const messagesOf = messages && groupBy(messages, (message) => message.stepId);
  const detailsOf = groupBy(details, (detail) => detail.stepId);
  const versionOf = new Map(versions.map((version) => [`${version.workflowId} ${version.version}`, version.steps]));
  const repetitions = new Repetitions();
  return rows.map((row) => {
    const authored = versionOf.get(`${row.workflowId} ${row.workflowVersion}`) ?? [];
    const own = stepsOf.get(row.id) ?? [];
    const payload = repetitions.of(row.payload, own.length);
    const overrides = repetitions.of(row.overrides, own.length);
    const jobs = own.map((step, index): JobDto => ({
      ...toJobDto(step, authored, detailsOf.get(step.id) ?? []),
      ...withoutNulls({
        payload,
        overrides,
        digest: digestOf(step) ?? precedingDigest(own.slice(0, index), repetitions),
        messages: messagesOf?.get(step.id)?.map(toJobMessageDto),
      }),
    }));
    const updatedAt = Math.max(row.updatedAt.getTime(), ...own.map((step) => step.updatedAt.getTime()));
    return toNotificationDto(owner, { ...row, updatedAt: new Date(updatedAt) }, jobs);
  });
}

function toNotificationDto(owner: KeyOwner, row: ActivityNotification, jobs: JobDto[]): NotificationDto {
  const { subscriber, workflow } = row;
  return withoutNulls({
    _id: row.id,
    _environmentId: owner.environmentId,
    _organizationId: owner.organizationId,
    _subscriberId: row.subscriberId,
    transactionId: row.transactionId,
    _templateId: row.workflowId,
    _digestedNotificationId: row.digestedNotificationId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    channels: row.channels,
    subscriber:
      subscriber &&
      withoutNulls({
        _id: subscriber.id,
        ...pick(subscriber, 'subscriberId', 'firstName', 'lastName', 'email', 'phone'),
      }),
    template: workflow && {
      _id: workflow.id,
      name: workflow.name,
      origin: workflow.origin,
      triggers: toTriggers(workflow),
    },
    jobs,
    payload: row.payload,
    controls: row.controls,
    to: row.to,
    leftOut: fieldsLeftOut(row.leftOut, SHOWN),
    ...pick(row, 'tags', 'topics', 'severity', 'critical', 'contextKeys'),
    traceId: row.traceparent && traceIdOf({ traceparent: row.traceparent }),
  });
}

function toJobDto(step: ActivityStep, authored: WorkflowSteps['steps'], details: ExecutionDetail[]): JobDto {
  return withoutNulls({
    _id: step.id,
    type: step.type,
    executionDetails: details.map((detail, index) =>
      toExecutionDetailDto(detail, step.state === 'queued' && index === details.length - 1),
    ),
    step: toJobStepDto(step.stepKey, authored),
    providerId: step.providerId,
    status: step.state,
    reason: step.reason,
    updatedAt: step.updatedAt.toISOString(),
    scheduleExtensionsCount: step.scheduleExtensionsCount,
  });
}

/** "Step queued" has the status `Queued` while the step waits in the queue, and its own status afterwards. */
function toExecutionDetailDto(row: ExecutionDetail, isLastOfQueued: boolean): ExecutionDetailDto {
  const isQueued = isLastOfQueued && row.detail === EXECUTION_DETAILS.stepQueued.detail;
  return {
    _id: row.id,
    createdAt: row.createdAt.toISOString(),
    status: isQueued ? 'Queued' : row.status,
    detail: row.detail,
    isRetry: row.isRetry,
    isTest: row.isTest,
    ...(row.providerId && { providerId: row.providerId }),
    raw: row.raw,
    source: row.source,
  };
}

/** Converts a step as its workflow version defines it; only the name is known once the workflow is gone. */
function toJobStepDto(stepKey: string, authored: WorkflowSteps['steps']): JobStepDto {
  const index = authored.findIndex(({ id, stepId }) => stepId === stepKey || id === stepKey);
  const step = authored[index];
  if (!step) return { _id: stepKey, _templateId: stepKey, name: stepKey, active: true, filters: [] };
  return {
    ...withoutNulls({
      ...toContentDto(step, step.type),
      template: { _id: step.id, type: step.type, name: step.name },
      issues: step.issues as JsonObject | undefined,
      leftOut: step.leftOut,
      variants: step.variants?.length ? step.variants.map((variant) => toContentDto(variant, step.type)) : undefined,
    }),
    _parentId: authored[index - 1]?.id ?? null,
  };
}

function toContentDto(content: WorkflowStep | StepVariant, type: WorkflowStep['type']): JobStepDto {
  return withoutNulls({
    _id: content.id,
    _templateId: content.id,
    name: content.name,
    active: content.active ?? true,
    filters: (content.filters ?? []) as StepFilterDto[],
    controlVariables: content.controlValues,
    metadata: content.controlValues && writtenWait(type, content.controlValues),
    replyCallback: NO_REPLIES,
  });
}

const digestOf = ({ digest }: ActivityStep): JobDigestDto | undefined => (isDigest(digest) ? digest : undefined);

/** Returns the events that the last digest before a step collected. */
function precedingDigest(earlier: ActivityStep[], repetitions: Repetitions): JobDigestDto | undefined {
  const digest = earlier.findLast((step) => digestOf(step)?.events)?.digest;
  return repetitions.of(digest ?? null, 1) as JobDigestDto | undefined;
}

function toJobMessageDto(row: Message & LeftOut): JobMessageDto {
  return withoutNulls({
    _id: row.id,
    ...pick(row, 'status', 'providerId', 'title', 'subject'),
    content: (row.content ?? '') as JobMessageDto['content'],
    leftOut: fieldsLeftOut(row.leftOut, { title: 'title', subject: 'subject', content: 'content' }),
    errorId: row.errorId,
    errorText: row.errorText,
    createdAt: row.createdAt.toISOString(),
  }) as JobMessageDto;
}

/** Clients fail to parse a digest without its type, and with it the whole list. */
function isDigest(digest: JsonObject | null): digest is JsonObject & JobDigestDto {
  return isJsonObject(digest) && DIGEST_TYPES.some((type) => type === digest['type']);
}
