import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import {
  type Channel,
  CHANNELS,
  LOG_ENTRY_TYPES,
  type LogEntryType,
  WEBHOOK_DELIVERY_STATES,
  type WebhookDeliveryState,
} from '../vocabulary';
import {
  Children,
  Choice,
  Choices,
  Flag,
  JsonMap,
  QueryChoices,
  QueryWhole,
  Text,
  type TextOptions,
  Texts,
  Whole,
} from './fields';
import { PageEnvelope, PageQuery } from './lists.dto';

const URL: TextOptions = {
  trim: true,
  minLength: 1,
  maxLength: LIMITS.webhookUrl,
  description:
    'Where entries are sent, over https. Plain http is possible for hosts that the operator lists in ' +
    'CLARION_EGRESS_ALLOW.',
  example: 'https://example.com/webhooks/clarion',
};
const DESCRIPTION = { optional: true, nullable: true, maxLength: LIMITS.webhookDescription } as const;
const EVENTS = {
  optional: true,
  nullable: true,
  min: 1,
  max: LOG_ENTRY_TYPES.length,
  description: 'The types that are sent; null is every type. An empty list is refused.',
  example: ['message.sent', 'message.failed'],
} as const;
const CHANNEL_FILTER = {
  optional: true,
  nullable: true,
  min: 1,
  max: CHANNELS.length,
  description:
    'Messages of other channels are not sent; null is every channel, and an empty list is refused. Entries that are ' +
    'about no channel are sent.',
} as const;
const WORKFLOW_FILTER = {
  optional: true,
  nullable: true,
  min: 1,
  max: LIMITS.webhookWorkflows,
  maxLength: 256,
  description:
    'The `workflowId` of workflows: entries about other workflows are not sent; null is every workflow, and an ' +
    'empty list is refused. Entries that are about no workflow are sent.',
} as const;
const SECRET = 'Signs the calls (Standard Webhooks). Shown now and never again.';

export class CreateWebhookEndpointDto {
  @Text(URL) url!: string;
  @Text(DESCRIPTION) description?: string | null;
  @Choices(LOG_ENTRY_TYPES, EVENTS) events?: LogEntryType[] | null;
  @Choices(CHANNELS, CHANNEL_FILTER) channels?: Channel[] | null;
  @Texts(WORKFLOW_FILTER) workflows?: string[] | null;
}

/** Fields that are left out stay as they are. */
export class PatchWebhookEndpointDto {
  @Text({ ...URL, optional: true }) url?: string;
  @Text(DESCRIPTION) description?: string | null;
  @Choices(LOG_ENTRY_TYPES, EVENTS) events?: LogEntryType[] | null;
  @Choices(CHANNELS, CHANNEL_FILTER) channels?: Channel[] | null;
  @Texts(WORKFLOW_FILTER) workflows?: string[] | null;

  @Flag(
    'An endpoint that is switched on again continues where it stopped: it gets what happened meanwhile, as far as ' +
      'the event log still has it.',
    { optional: true },
  )
  active?: boolean;

  @Flag('The endpoint gets nothing of what happened before this call. Default false.', { optional: true })
  skipMissed?: boolean;
}

export class WebhookEndpointDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Text() url!: string;
  @Text({ optional: true }) description?: string;
  @Choices(LOG_ENTRY_TYPES, 'null is every type.', { nullable: true }) events!: LogEntryType[] | null;
  @Choices(CHANNELS, 'null is every channel.', { nullable: true }) channels!: Channel[] | null;
  @Texts('null is every workflow.', { nullable: true }) workflows!: string[] | null;
  @Flag() active!: boolean;
  @Text('Why Clarion switched it off.', { optional: true }) disabledReason?: string;
  @Text('Since when it is not active.', { optional: true, format: 'date-time' }) disabledAt?: string;
  @Whole('Calls that failed since the last one that succeeded.') failures!: number;
  @Text('The first of these failures.', { optional: true, format: 'date-time' }) failingSince?: string;
  @Text('No call before this time, after failures.', { optional: true, format: 'date-time' }) pausedUntil?: string;
  @Text({ optional: true, format: 'date-time' }) lastDeliveredAt?: string;
  @Text('Until then the replaced secret signs too.', { optional: true, format: 'date-time' })
  previousSecretUntil?: string;
  @Whole('Deliveries that wait for an attempt.') waitingDeliveries!: number;
  @Whole('Later entries of the event log, which wait for their turn.') waitingEntries!: number;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class CreatedWebhookEndpointDto extends WebhookEndpointDto {
  @Text(SECRET, { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }) secret!: string;
}

export class WebhookSecretDto {
  @Text(SECRET, { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }) secret!: string;
  @Text('Until then the replaced secret signs too.', { format: 'date-time' }) previousSecretUntil!: string;
}

export class WebhookEndpointListDto {
  @Children(() => WebhookEndpointDto, 'Newest first.') data!: WebhookEndpointDto[];
}

export class ListWebhookDeliveriesQuery extends PageQuery {
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;
  @Choice(WEBHOOK_DELIVERY_STATES, { optional: true }) state?: WebhookDeliveryState;
}

export class WebhookDeliveryDto {
  @Text() _id!: string;
  @Text('The id of the entry, which the receiver gets as `webhook-id` with every attempt.') entryId!: string;
  @Whole('Of the entry in the event log; a test has none.', { optional: true }) sequence?: number;
  @Text('Of the entry.', { example: 'message.sent' }) type!: string;
  @Choice(WEBHOOK_DELIVERY_STATES) state!: WebhookDeliveryState;
  @Whole('Attempts that have ended.') attempts!: number;
  @Text({ optional: true, format: 'date-time' }) nextAttemptAt?: string;
  @Text({ optional: true, format: 'date-time' }) lastAttemptAt?: string;
  @Text({ optional: true, format: 'date-time' }) endedAt?: string;
  @Whole('The status of the last response.', { optional: true }) responseStatus?: number;
  @Text('The beginning of the last response.', { optional: true }) responseText?: string;
  @Text('Why the last attempt failed.', { optional: true }) error?: string;
  @Text() createdAt!: string;
}

export class WebhookDeliveryListDto extends PageEnvelope {
  @Children(() => WebhookDeliveryDto) data!: WebhookDeliveryDto[];
}

/** Either failed deliveries, or a range of the event log by numbers or by times. */
export class ReplayWebhooksDto {
  @Flag('Sends the deliveries again that have failed.', { optional: true }) failedOnly?: boolean;
  @Whole('Entries after this number.', { optional: true, min: 0, max: Number.MAX_SAFE_INTEGER }) after?: number;
  @Whole('Up to this number. Default: the last.', { optional: true, min: 1, max: Number.MAX_SAFE_INTEGER }) to?: number;
  @Text('Entries since this time.', { optional: true, format: 'date-time' }) since?: string;
  @Text('Up to this time. Default: now.', { optional: true, format: 'date-time' }) until?: string;
}

export class WebhookReplayDto {
  @Whole('Failed deliveries that wait again.', { optional: true }) deliveries?: number;
  @Whole('Entries after this number are sent again,', { optional: true }) after?: number;
  @Whole('up to this one.', { optional: true }) to?: number;
}

export class EventLogQuery {
  @QueryWhole('The `next` of the page before, or the number of the last entry that you have. Default: the oldest.', {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  })
  after?: number;

  @QueryWhole({ min: 1, max: LIMITS.eventLogPage, default: 100 }) limit: number = 100;
  @QueryChoices(LOG_ENTRY_TYPES, 'Only entries of these types. `next` also passes the others.') type?: LogEntryType[];
}

export class LogEntryDto {
  @Whole('Consecutive within the environment.') sequence!: number;
  @Text('The `webhook-id` of the same entry.') id!: string;
  @Choice(LOG_ENTRY_TYPES) type!: LogEntryType;
  @Text('When it happened.', { format: 'date-time' }) timestamp!: string;
  @JsonMap(
    'What it is about: `messageId`, `notificationId`, `transactionId`, `subscriberId`, `workflowId`, `channel`, ' +
      '`providerId`, `status`, `error`. Contents of messages are not part of it.',
    { example: { messageId: '01980000-0000-7000-8000-000000000000', transactionId: 'order-1', channel: 'email' } },
  )
  data!: JsonObject;
}

export class EventLogDto {
  @Children(() => LogEntryDto, 'In the order of their numbers.') data!: LogEntryDto[];
  @Whole('Give it as `after` to continue.') next!: number;
  @Flag() hasMore!: boolean;
  @Whole('The oldest entry that has not been deleted; one more than the last if there is none.') firstSequence!: number;
  @Whole() lastSequence!: number;
  @Flag('Whether what happens now is recorded.') isRecording!: boolean;
}
