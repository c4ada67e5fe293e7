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

  @Flag({
    optional: true,
    description:
      'An endpoint that is switched on again continues where it stopped: it gets what happened meanwhile, as far as ' +
      'the event log still has it.',
  })
  active?: boolean;

  @Flag({ optional: true, description: 'The endpoint gets nothing of what happened before this call. Default false.' })
  skipMissed?: boolean;
}

export class WebhookEndpointDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Text() url!: string;
  @Text({ optional: true }) description?: string;
  @Choices(LOG_ENTRY_TYPES, { nullable: true, description: 'null is every type.' }) events!: LogEntryType[] | null;
  @Choices(CHANNELS, { nullable: true, description: 'null is every channel.' }) channels!: Channel[] | null;
  @Texts({ nullable: true, description: 'null is every workflow.' }) workflows!: string[] | null;
  @Flag() active!: boolean;
  @Text({ optional: true, description: 'Why Clarion switched it off.' }) disabledReason?: string;
  @Text({ optional: true, format: 'date-time', description: 'Since when it is not active.' }) disabledAt?: string;
  @Whole({ description: 'Calls that failed since the last one that succeeded.' }) failures!: number;
  @Text({ optional: true, format: 'date-time', description: 'The first of these failures.' }) failingSince?: string;
  @Text({ optional: true, format: 'date-time', description: 'No call before this time, after failures.' })
  pausedUntil?: string;
  @Text({ optional: true, format: 'date-time' }) lastDeliveredAt?: string;
  @Text({ optional: true, format: 'date-time', description: 'Until then the replaced secret signs too.' })
  previousSecretUntil?: string;
  @Whole({ description: 'Deliveries that wait for an attempt.' }) waitingDeliveries!: number;
  @Whole({ description: 'Later entries of the event log, which wait for their turn.' }) waitingEntries!: number;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class CreatedWebhookEndpointDto extends WebhookEndpointDto {
  @Text({ description: SECRET, example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }) secret!: string;
}

export class WebhookSecretDto {
  @Text({ description: SECRET, example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }) secret!: string;
  @Text({ format: 'date-time', description: 'Until then the replaced secret signs too.' })
  previousSecretUntil!: string;
}

export class WebhookEndpointListDto {
  @Children(() => WebhookEndpointDto, { description: 'Newest first.' }) data!: WebhookEndpointDto[];
}

export class ListWebhookDeliveriesQuery extends PageQuery {
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;
  @Choice(WEBHOOK_DELIVERY_STATES, { optional: true }) state?: WebhookDeliveryState;
}

export class WebhookDeliveryDto {
  @Text() _id!: string;
  @Text({ description: 'The id of the entry, which the receiver gets as `webhook-id` with every attempt.' })
  entryId!: string;
  @Whole({ optional: true, description: 'Of the entry in the event log; a test has none.' }) sequence?: number;
  @Text({ description: 'Of the entry.', example: 'message.sent' }) type!: string;
  @Choice(WEBHOOK_DELIVERY_STATES) state!: WebhookDeliveryState;
  @Whole({ description: 'Attempts that have ended.' }) attempts!: number;
  @Text({ optional: true, format: 'date-time' }) nextAttemptAt?: string;
  @Text({ optional: true, format: 'date-time' }) lastAttemptAt?: string;
  @Text({ optional: true, format: 'date-time' }) endedAt?: string;
  @Whole({ optional: true, description: 'The status of the last response.' }) responseStatus?: number;
  @Text({ optional: true, description: 'The beginning of the last response.' }) responseText?: string;
  @Text({ optional: true, description: 'Why the last attempt failed.' }) error?: string;
  @Text() createdAt!: string;
}

export class WebhookDeliveryListDto extends PageEnvelope {
  @Children(() => WebhookDeliveryDto) data!: WebhookDeliveryDto[];
}

/** Either failed deliveries, or a range of the event log by numbers or by times. */
export class ReplayWebhooksDto {
  @Flag({ optional: true, description: 'Sends the deliveries again that have failed.' })
  failedOnly?: boolean;

  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Entries after this number.' })
  after?: number;

  @Whole({ optional: true, min: 1, max: Number.MAX_SAFE_INTEGER, description: 'Up to this number. Default: the last.' })
  to?: number;

  @Text({ optional: true, format: 'date-time', description: 'Entries since this time.' })
  since?: string;

  @Text({ optional: true, format: 'date-time', description: 'Up to this time. Default: now.' })
  until?: string;
}

export class WebhookReplayDto {
  @Whole({ optional: true, description: 'Failed deliveries that wait again.' }) deliveries?: number;
  @Whole({ optional: true, description: 'Entries after this number are sent again,' }) after?: number;
  @Whole({ optional: true, description: 'up to this one.' }) to?: number;
}

export class EventLogQuery {
  @QueryWhole({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'The `next` of the page before, or the number of the last entry that you have. Default: the oldest.',
  })
  after?: number;

  @QueryWhole({ min: 1, max: LIMITS.eventLogPage, default: 100 }) limit: number = 100;

  @QueryChoices(LOG_ENTRY_TYPES, { description: 'Only entries of these types. `next` also passes the others.' })
  type?: LogEntryType[];
}

export class LogEntryDto {
  @Whole({ description: 'Consecutive within the environment.' }) sequence!: number;
  @Text({ description: 'The `webhook-id` of the same entry.' }) id!: string;
  @Choice(LOG_ENTRY_TYPES) type!: LogEntryType;
  @Text({ format: 'date-time', description: 'When it happened.' }) timestamp!: string;
  @JsonMap({
    description:
      'What it is about: `messageId`, `notificationId`, `transactionId`, `subscriberId`, `workflowId`, `channel`, ' +
      '`providerId`, `status`, `error`. Contents of messages are not part of it.',
    example: { messageId: '01980000-0000-7000-8000-000000000000', transactionId: 'order-1', channel: 'email' },
  })
  data!: JsonObject;
}

export class EventLogDto {
  @Children(() => LogEntryDto, { description: 'In the order of their numbers.' }) data!: LogEntryDto[];
  @Whole({ description: 'Give it as `after` to continue.' }) next!: number;
  @Flag() hasMore!: boolean;
  @Whole({ description: 'The oldest entry that has not been deleted; one more than the last if there is none.' })
  firstSequence!: number;
  @Whole() lastSequence!: number;
  @Flag({ description: 'Whether what happens now is recorded.' }) isRecording!: boolean;
}
