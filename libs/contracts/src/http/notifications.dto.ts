import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { PROVIDER_IDS, type ProviderId } from '../provider-ids';
import { STEP_TYPES, type StepType } from '../step-types';
import {
  DETAIL_SOURCES,
  DETAIL_STATUSES,
  type DetailSource,
  type DetailStatus,
  DIGEST_TYPES,
  type DigestType,
  MESSAGE_STATUSES,
  type MessageStatus,
  MONTHLY_TYPES,
  ORDINAL_VALUES,
  ORDINALS,
  SEVERITIES,
  type Severity,
  SPAN_KINDS,
  type SpanKind,
  STEP_STATUSES,
  type StepStatus,
  TIME_UNITS,
  type TimeUnit,
  WAIT_KINDS,
  type WaitKind,
  WEEK_DAYS,
  type WeekDay,
  WORKFLOW_ORIGINS,
  type WorkflowOrigin,
} from '../vocabulary';
import { NotificationTriggerDto } from './embedded-workflow.dto';
import {
  Amount,
  Child,
  Children,
  Choice,
  Choices,
  Flag,
  JsonMap,
  QueryChoices,
  QueryIds,
  QueryTextOrTexts,
  QueryTexts,
  QueryWhole,
  Text,
  Texts,
  Whole,
} from './fields';
import { StepFilterDto } from './filters.dto';
import { EmailBlockDto } from './messages.dto';
import { LEFT_OUT, LEFT_OUT_OF_ONE, PageEnvelope, PageQuery } from './lists.dto';

const SUBSCRIBERS =
  `emails, subscriberIds and search together name a set of subscribers, of which ${LIMITS.searchedSubscribers} ` +
  `are looked at for emails and for search`;

const AMONG_NEWEST = `of the newest ${LIMITS.searchedHistory} events without transactionId or subscribers`;

export class ListNotificationsQuery extends PageQuery {
  @QueryWhole({ min: 1, max: 50, default: 10 }) limit: number = 10;
  @QueryChoices(STEP_TYPES, 'With a step of any of these types.') channels?: StepType[];
  @QueryIds('Ids of workflows.') templates?: string[];
  @QueryTexts(`Whole addresses; ${SUBSCRIBERS}.`, { maxLength: 1000 }) emails?: string[];

  @Text('Part of an email address, or a whole subscriberId.', {
    optional: true,
    deprecated: true,
    maxLength: LIMITS.filterText,
  })
  search?: string;

  @QueryTexts('Your identifiers of subscribers.', { maxLength: 512 }) subscriberIds?: string[];
  @QueryChoices(SEVERITIES) severity?: Severity[];
  @QueryTextOrTexts({ maxLength: 512 }) transactionId?: string[];
  @QueryTexts('The workflowId of workflows, or their ids.', { maxLength: 256 }) workflowId?: string[];
  @QueryChoices(STEP_STATUSES, `With a step in any of these states; ${AMONG_NEWEST}.`) status?: StepStatus[];

  @Text(`Part of an execution detail, in any case; with status, of a step in that state; ${AMONG_NEWEST}.`, {
    optional: true,
    maxLength: LIMITS.filterText,
  })
  detail?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText }) topicKey?: string;

  @QueryTexts('Exactly these contexts, each `type:id`; empty: only notifications without context.', {
    maxLength: LIMITS.contextBytes,
  })
  contextKeys?: string[];

  @Text('ISO 8601; created at this time or later.', { optional: true }) after?: string;
  @Text('ISO 8601; created at this time or earlier.', { optional: true }) before?: string;
}

export class ActivitySubscriberDto {
  @Text() _id!: string;
  @Text() subscriberId!: string;
  @Text({ optional: true }) firstName?: string;
  @Text({ optional: true }) lastName?: string;
  @Text({ optional: true }) email?: string;
  @Text({ optional: true }) phone?: string;
}

export class ActivityTemplateDto {
  @Text({ optional: true }) _id?: string;
  @Text() name!: string;
  @Choice(WORKFLOW_ORIGINS, { optional: true }) origin?: WorkflowOrigin;
  @Children(() => NotificationTriggerDto) triggers!: NotificationTriggerDto[];
}

export class DigestTimedDto {
  @Text({ optional: true }) atTime?: string;
  @Choices(WEEK_DAYS, { optional: true }) weekDays?: WeekDay[];
  @ApiProperty({ required: false, type: [Number] }) monthDays?: number[];
  @Choice(ORDINALS, { optional: true }) ordinal?: (typeof ORDINALS)[number];
  @Choice(ORDINAL_VALUES, { optional: true }) ordinalValue?: (typeof ORDINAL_VALUES)[number];
  @Choice(MONTHLY_TYPES, { optional: true }) monthlyType?: (typeof MONTHLY_TYPES)[number];
  @Text({ optional: true }) cronExpression?: string;
  @Text({ optional: true }) untilDate?: string;
}

export class JobDigestDto {
  @Choice(DIGEST_TYPES) type!: DigestType;
  @Text({ optional: true }) digestKey?: string;
  @Amount({ optional: true }) amount?: number;
  @Choice(TIME_UNITS, { optional: true }) unit?: TimeUnit;
  @ApiProperty({
    required: false,
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'The payloads that the digest collected: on the digest itself, and on the jobs that follow it, there left ' +
      'out when they are large.',
  })
  events?: JsonObject[];
  @Flag('`events` is left out because the page would be too large.', { optional: true }) eventsLeftOut?: boolean;
  @Flag({ optional: true }) backoff?: boolean;
  @Amount({ optional: true }) backoffAmount?: number;
  @Choice(TIME_UNITS, { optional: true }) backoffUnit?: TimeUnit;
  @Flag({ optional: true }) updateMode?: boolean;
  @Child(() => DigestTimedDto, { optional: true }) timed?: DigestTimedDto;
}

export class ExecutionDetailDto {
  @Text() _id!: string;
  @Text({ optional: true }) createdAt?: string;
  @Choice(DETAIL_STATUSES) status!: DetailStatus;
  @Text() detail!: string;
  @Flag() isRetry!: boolean;
  @Flag() isTest!: boolean;
  @Choice(PROVIDER_IDS, { optional: true }) providerId?: ProviderId;
  @Text({ optional: true, nullable: true }) raw?: string | null;
  @Choice(DETAIL_SOURCES) source!: DetailSource;
}

export class JobStepDto {
  @Text() _id!: string;
  @Flag() active!: boolean;
  @Children(() => StepFilterDto) filters!: StepFilterDto[];
  @Text() _templateId!: string;
  @Text({ optional: true }) name?: string;
  @Text('The step before it; null of the first one.', { optional: true, nullable: true }) _parentId?: string | null;
  @JsonMap('Always `{ "active": false }`: replies to emails are not received.', { optional: true })
  replyCallback?: JsonObject;
  @JsonMap({ optional: true }) controlVariables?: JsonObject;
  @JsonMap('How a digest or a delay waits, as it is written.', { optional: true }) metadata?: JsonObject;
  @JsonMap({ optional: true }) issues?: JsonObject;
  @Texts(LEFT_OUT) leftOut?: string[];
  @JsonMap('Its `_id`, `type` and `name`; the contents are `controlVariables`.', { optional: true })
  template?: JsonObject;
  @Children(() => JobStepDto, { optional: true }) variants?: JobStepDto[];
}

/** A message of a job; `GET /v1/messages` has the whole of it. */
@ApiExtraModels(EmailBlockDto)
export class JobMessageDto {
  @Text() _id!: string;
  @Choice(MESSAGE_STATUSES) status!: MessageStatus;
  @Choice(PROVIDER_IDS, { optional: true }) providerId?: ProviderId;
  @Text({ optional: true }) title?: string;
  @Text({ optional: true }) subject?: string;
  @ApiProperty({
    description: 'As it was rendered.',
    oneOf: [{ type: 'string' }, { type: 'array', items: { $ref: getSchemaPath(EmailBlockDto) } }],
  })
  content!: string | EmailBlockDto[];
  @Texts(LEFT_OUT_OF_ONE) leftOut?: string[];
  @Text({ optional: true }) errorId?: string;
  @Text({ optional: true }) errorText?: string;
  @Text() createdAt!: string;
}

export class WaitDto {
  @Choice(WAIT_KINDS) kind!: WaitKind;
  @Text() since!: string;
  @Text('When it ends, where that is known: the next attempt, the end of a delay.', { optional: true }) until?: string;
  @Whole('Attempts that were made.', { optional: true }) attempt?: number;
  @Whole('Attempts before the message fails.', { optional: true }) attempts?: number;
  @Text('The words of the provider, of the hold or of the limit.', { optional: true }) reason?: string;
  @Text({ optional: true }) holdId?: string;
}

export class SpanDto {
  @Choice(SPAN_KINDS) kind!: SpanKind;
  @Text() from!: string;
  @Text() to!: string;
}

export class JobDto {
  @Text() _id!: string;
  @Choice(STEP_TYPES) type!: StepType;
  @Child(() => JobDigestDto, { optional: true }) digest?: JobDigestDto;
  @Children(() => ExecutionDetailDto) executionDetails!: ExecutionDetailDto[];
  @Child(() => JobStepDto) step!: JobStepDto;
  @JsonMap('Left out when it is large.', { optional: true }) overrides?: JsonObject;
  @JsonMap('The payload of the notification; left out when it is large.', { optional: true }) payload?: JsonObject;
  @Choice(PROVIDER_IDS) providerId!: ProviderId;
  @Choice(STEP_STATUSES) status!: StepStatus;
  @Text('Why the step ended without sending: the words of the provider, or its last execution detail.', {
    optional: true,
  })
  reason?: string;
  @Text({ optional: true }) updatedAt?: string;
  @Whole({ optional: true }) scheduleExtensionsCount?: number;
  @Child(
    () => WaitDto,
    'What an open job waits for; null for a job that runs or has ended. Only where one event is retrieved.',
    { optional: true, nullable: true },
  )
  waitingFor?: WaitDto | null;
  @Children(() => SpanDto, 'The parts of its time, one after the other. Only where one event is retrieved.', {
    optional: true,
  })
  spans?: SpanDto[];
  @Children(() => JobMessageDto, 'What the job sent, rendered; only where one event is retrieved.', { optional: true })
  messages?: JobMessageDto[];
}

export class ActivityTopicDto {
  @Text() _topicId!: string;
  @Text() topicKey!: string;
}

export class NotificationDto {
  @Text({ optional: true }) _id?: string;
  @Text() _environmentId!: string;
  @Text() _organizationId!: string;
  @Text() _subscriberId!: string;
  @Text() transactionId!: string;
  @Text('The workflow.', { optional: true }) _templateId?: string;
  @Text({ optional: true }) _digestedNotificationId?: string;
  @Text({ optional: true }) createdAt?: string;
  @Text('When one of its steps changed last.', { optional: true }) updatedAt?: string;
  @Choices(STEP_TYPES, { optional: true }) channels?: StepType[];
  @Child(() => ActivitySubscriberDto, { optional: true }) subscriber?: ActivitySubscriberDto;
  @Child(() => ActivityTemplateDto, { optional: true }) template?: ActivityTemplateDto;
  @Children(() => JobDto, { optional: true }) jobs?: JobDto[];
  @JsonMap({ optional: true }) payload?: JsonObject;
  @JsonMap('What the trigger sent under that name.', { optional: true }) controls?: JsonObject;
  @JsonMap({ optional: true }) to?: JsonObject;
  @Texts(LEFT_OUT) leftOut?: string[];
  @Texts({ optional: true }) tags?: string[];
  @Children(() => ActivityTopicDto, { optional: true }) topics?: ActivityTopicDto[];
  @Choice(SEVERITIES, { optional: true }) severity?: Severity;
  @Flag({ optional: true }) critical?: boolean;
  @Texts('Each `type:id`.', { optional: true }) contextKeys?: string[];
  @Text('The trace of the trigger: the `traceparent` of the request, or a new trace.', { optional: true })
  traceId?: string;
}

export class NotificationListDto extends PageEnvelope {
  @Children(() => NotificationDto) data!: NotificationDto[];
}
