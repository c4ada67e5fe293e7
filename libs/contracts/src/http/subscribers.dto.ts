import { ApiExtraModels } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { CHANNEL_PROVIDER_IDS, type ChannelProviderId } from '../provider-ids';
import {
  BrandedChoice,
  Child,
  Children,
  Choice,
  DATA_LIMIT,
  DATA_SIZE,
  Flag,
  JsonList,
  JsonMap,
  QueryFlag,
  Text,
  Texts,
  Whole,
} from './fields';
import { CURSOR_ORDER, CursorEnvelope, type CursorOrder, CursorQuery, LEFT_OUT } from './lists.dto';

const NAME = { optional: true, nullable: true, maxLength: 1000 } as const;

/** The profile fields of a subscriber: absent keeps what is there, null clears it. */
export class SubscriberProfileDto {
  @Text({ ...NAME, description: 'First name.' }) firstName?: string | null;
  @Text({ ...NAME, description: 'Last name.' }) lastName?: string | null;
  @Text({ ...NAME, format: 'email', description: 'Email address.' }) email?: string | null;
  @Text({ ...NAME, description: 'Phone number.' }) phone?: string | null;

  @Text({
    optional: true,
    nullable: true,
    maxLength: LIMITS.avatar,
    description: 'Avatar image URL or identifier.',
  })
  avatar?: string | null;

  @Text({ ...NAME, format: 'timezone', description: 'IANA time zone.', example: 'Europe/London' })
  timezone?: string | null;

  @Text({ ...NAME, format: 'locale', description: 'Preferred language or region.', example: 'en_GB' })
  locale?: string | null;

  @JsonMap({ ...DATA_LIMIT, optional: true, nullable: true, description: `Custom data. ${DATA_SIZE}` })
  data?: JsonObject | null;
}

export class CreateSubscriberDto extends SubscriberProfileDto {
  @Text({
    trim: true,
    minLength: 1,
    maxLength: 512,
    description: "Your identifier of the subscriber, usually the user's id.",
  })
  subscriberId!: string;
}

export class PatchSubscriberDto extends SubscriberProfileDto {}

export class OnlineStatusDto {
  @Flag({ optional: true, description: 'Required. Going offline notes the time as lastOnlineAt.' })
  isOnline?: boolean;

  @Flag({ optional: true, deprecated: true, description: 'The same, as `@novu/node` 2 spells it.' })
  online?: boolean;
}

export class FailIfExistsQuery {
  @QueryFlag({ description: 'Fail with 409 when it exists instead of updating it.' })
  failIfExists?: boolean;
}

export class ChannelCredentialsDto {
  @Text({ optional: true, maxLength: 4096, description: 'Webhook URL for chat integrations.' })
  webhookUrl?: string;

  @Text({ optional: true, maxLength: 1000, description: 'Channel for Mattermost chat notifications.' })
  channel?: string;

  @Texts({
    optional: true,
    max: LIMITS.deviceTokens,
    maxLength: 4096,
    description: 'Device tokens for push; appended.',
  })
  deviceTokens?: string[];

  @Text({ optional: true, maxLength: 1000, description: 'Alert UID for Grafana on-call.' })
  alertUid?: string;

  @Text({ optional: true, maxLength: 1000, description: 'Title for Grafana on-call.' })
  title?: string;

  @Text({ optional: true, maxLength: 4096, description: 'Image URL for Grafana on-call.' })
  imageUrl?: string;

  @Text({ optional: true, maxLength: 1000, description: 'State for Grafana on-call.' })
  state?: string;

  @Text({ optional: true, maxLength: 4096, description: 'Link to upstream details for Grafana on-call.' })
  externalUrl?: string;
}

export class UpdateCredentialsDto {
  @BrandedChoice(CHANNEL_PROVIDER_IDS) providerId!: ChannelProviderId;

  @Text({
    optional: true,
    maxLength: 256,
    description: 'Identifier of the integration; default: the newest active one of the provider.',
  })
  integrationIdentifier?: string;

  @Child(() => ChannelCredentialsDto) credentials!: ChannelCredentialsDto;
}

/** A subscriber of a bulk import, with where to reach it and the topics it belongs to. */
export class ImportedSubscriberDto extends CreateSubscriberDto {
  @Children(() => UpdateCredentialsDto, {
    optional: true,
    max: LIMITS.importedChannels,
    description:
      'Credentials, as `PUT /v1/subscribers/{subscriberId}/credentials` takes them: device tokens are appended.',
  })
  channels?: UpdateCredentialsDto[];

  @Texts({
    optional: true,
    max: LIMITS.importedTopics,
    maxLength: LIMITS.topicKey,
    description: 'Keys of topics to subscribe to; a topic that does not exist is created.',
  })
  topics?: string[];
}

@ApiExtraModels(ImportedSubscriberDto)
export class BulkCreateSubscribersDto {
  @JsonList(() => ImportedSubscriberDto, {
    max: LIMITS.bulkSubscribers,
    description: 'A bad element does not fail the others.',
  })
  subscribers!: unknown[];
}

export class SearchSubscribersQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: CursorOrder = '_id';

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'Part of the email, case sensitive.' })
  email?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'Part of "firstName lastName", case sensitive.' })
  name?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'Part of the phone, case sensitive.' })
  phone?: string;

  @Text({ optional: true, maxLength: 512, description: 'The whole subscriberId.' })
  subscriberId?: string;

  @Text({
    optional: true,
    maxLength: LIMITS.filterText,
    description:
      'Part of the subscriberId, the name ("firstName lastName"), the email or the phone, in any case. Three ' +
      'characters or more are found by an index.',
    example: 'ada',
  })
  search?: string;
}

/** What a subscriber is used by, to be shown before it is deleted. */
export class SubscriberUsageDto {
  @Whole({ description: 'Topics with a subscription.' }) topics!: number;
  @Whole({ description: 'Channels with stored credentials.' }) channels!: number;
  @Whole({ description: `Messages that are deleted with it, counted up to ${LIMITS.countCap}.` }) messages!: number;
  @Whole({
    description:
      'Steps of its notifications that are queued, delayed or running; of its newest ' +
      `${LIMITS.usageNotifications} notifications.`,
  })
  openSteps!: number;
}

export class ChannelSettingsDto {
  @Choice(CHANNEL_PROVIDER_IDS) providerId!: ChannelProviderId;
  @Text({ optional: true }) integrationIdentifier?: string;
  @Child(() => ChannelCredentialsDto) credentials!: ChannelCredentialsDto;
  @Text() _integrationId!: string;
}

export class SubscriberDto {
  @Text({ optional: true }) _id?: string;
  @Text() subscriberId!: string;
  @Text({ optional: true, nullable: true }) firstName?: string | null;
  @Text({ optional: true, nullable: true }) lastName?: string | null;
  @Text({ optional: true, nullable: true }) email?: string | null;
  @Text({ optional: true, nullable: true }) phone?: string | null;
  @Text({ optional: true, nullable: true }) avatar?: string | null;
  @Text({ optional: true, nullable: true }) locale?: string | null;
  @Children(() => ChannelSettingsDto, { optional: true }) channels?: ChannelSettingsDto[];
  @Texts({
    optional: true,
    deprecated: true,
    description:
      `Keys of the topics that the subscriber is subscribed to, at most ${LIMITS.subscriberTopics}; \`GET ` +
      `/v2/subscribers/{subscriberId}/subscriptions\` has all of them.`,
  })
  topics?: string[];
  @Flag({ optional: true, description: 'True when the subscriber has more topics; otherwise left out.' })
  topicsCapped?: boolean;
  @Flag({ optional: true, nullable: true }) isOnline?: boolean | null;
  @Text({ optional: true, nullable: true }) lastOnlineAt?: string | null;
  @Whole({ optional: true }) __v?: number;
  @JsonMap({ optional: true, nullable: true }) data?: JsonObject | null;
  @Texts(LEFT_OUT) leftOut?: string[];
  @Text({ optional: true, nullable: true }) timezone?: string | null;
  @Text() _organizationId!: string;
  @Text() _environmentId!: string;
  @Flag() deleted!: boolean;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class SubscriberListDto extends CursorEnvelope {
  @Children(() => SubscriberDto) data!: SubscriberDto[];
}

export class SubscriberIdDto {
  @Text() subscriberId!: string;
}

export class FailedSubscriberDto {
  @Text() message!: string;
  @Text({ optional: true }) subscriberId?: string;
}

export class BulkSubscribersResultDto {
  @Children(() => SubscriberIdDto) created!: SubscriberIdDto[];
  @Children(() => SubscriberIdDto) updated!: SubscriberIdDto[];
  @Children(() => FailedSubscriberDto) failed!: FailedSubscriberDto[];
}

export class AcknowledgedDto {
  @Flag() acknowledged!: boolean;
  @Text({ optional: true }) status?: string;
}
