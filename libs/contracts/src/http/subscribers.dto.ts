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
  @Text('First name.', { ...NAME }) firstName?: string | null;
  @Text('Last name.', { ...NAME }) lastName?: string | null;
  @Text('Email address.', { ...NAME, format: 'email' }) email?: string | null;
  @Text('Phone number.', { ...NAME }) phone?: string | null;

  @Text('Avatar image URL or identifier.', { optional: true, nullable: true, maxLength: LIMITS.avatar })
  avatar?: string | null;

  @Text('IANA time zone.', { ...NAME, format: 'timezone', example: 'Europe/London' }) timezone?: string | null;
  @Text('Preferred language or region.', { ...NAME, format: 'locale', example: 'en_GB' }) locale?: string | null;
  @JsonMap(`Custom data. ${DATA_SIZE}`, { ...DATA_LIMIT, optional: true, nullable: true }) data?: JsonObject | null;
}

export class CreateSubscriberDto extends SubscriberProfileDto {
  @Text("Your identifier of the subscriber, usually the user's id.", { trim: true, minLength: 1, maxLength: 512 })
  subscriberId!: string;
}

export class PatchSubscriberDto extends SubscriberProfileDto {}

export class OnlineStatusDto {
  @Flag('Required. Going offline notes the time as lastOnlineAt.', { optional: true }) isOnline?: boolean;
  @Flag('The same, as `@novu/node` 2 spells it.', { optional: true, deprecated: true }) online?: boolean;
}

export class FailIfExistsQuery {
  @QueryFlag('Fail with 409 when it exists instead of updating it.') failIfExists?: boolean;
}

export class ChannelCredentialsDto {
  @Text('Webhook URL for chat integrations.', { optional: true, maxLength: 4096 }) webhookUrl?: string;
  @Text('Channel for Mattermost chat notifications.', { optional: true, maxLength: 1000 }) channel?: string;

  @Texts('Device tokens for push; appended.', { optional: true, max: LIMITS.deviceTokens, maxLength: 4096 })
  deviceTokens?: string[];

  @Text('Alert UID for Grafana on-call.', { optional: true, maxLength: 1000 }) alertUid?: string;
  @Text('Title for Grafana on-call.', { optional: true, maxLength: 1000 }) title?: string;
  @Text('Image URL for Grafana on-call.', { optional: true, maxLength: 4096 }) imageUrl?: string;
  @Text('State for Grafana on-call.', { optional: true, maxLength: 1000 }) state?: string;
  @Text('Link to upstream details for Grafana on-call.', { optional: true, maxLength: 4096 }) externalUrl?: string;
}

export class UpdateCredentialsDto {
  @BrandedChoice(CHANNEL_PROVIDER_IDS) providerId!: ChannelProviderId;

  @Text('Identifier of the integration; default: the newest active one of the provider.', {
    optional: true,
    maxLength: 256,
  })
  integrationIdentifier?: string;

  @Child(() => ChannelCredentialsDto) credentials!: ChannelCredentialsDto;
}

/** A subscriber of a bulk import, with where to reach it and the topics it belongs to. */
export class ImportedSubscriberDto extends CreateSubscriberDto {
  @Children(
    () => UpdateCredentialsDto,
    'Credentials, as `PUT /v1/subscribers/{subscriberId}/credentials` takes them: device tokens are appended.',
    { optional: true, max: LIMITS.importedChannels },
  )
  channels?: UpdateCredentialsDto[];

  @Texts('Keys of topics to subscribe to; a topic that does not exist is created.', {
    optional: true,
    max: LIMITS.importedTopics,
    maxLength: LIMITS.topicKey,
  })
  topics?: string[];
}

@ApiExtraModels(ImportedSubscriberDto)
export class BulkCreateSubscribersDto {
  @JsonList(() => ImportedSubscriberDto, 'A bad element does not fail the others.', { max: LIMITS.bulkSubscribers })
  subscribers!: unknown[];
}

export class SearchSubscribersQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, 'Default _id.', { optional: true }) orderBy: CursorOrder = '_id';
  @Text('Part of the email, case sensitive.', { optional: true, maxLength: LIMITS.filterText }) email?: string;

  @Text('Part of "firstName lastName", case sensitive.', { optional: true, maxLength: LIMITS.filterText })
  name?: string;

  @Text('Part of the phone, case sensitive.', { optional: true, maxLength: LIMITS.filterText }) phone?: string;
  @Text('The whole subscriberId.', { optional: true, maxLength: 512 }) subscriberId?: string;

  @Text(
    'Part of the subscriberId, the name ("firstName lastName"), the email or the phone, in any case. Three ' +
      'characters or more are found by an index.',
    { optional: true, maxLength: LIMITS.filterText, example: 'ada' },
  )
  search?: string;
}

/** What a subscriber is used by, to be shown before it is deleted. */
export class SubscriberUsageDto {
  @Whole('Topics with a subscription.') topics!: number;
  @Whole('Channels with stored credentials.') channels!: number;
  @Whole(`Messages that are deleted with it, counted up to ${LIMITS.countCap}.`) messages!: number;
  @Whole(
    'Steps of its notifications that are queued, delayed or running; of its newest ' +
      `${LIMITS.usageNotifications} notifications.`,
  )
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
  @Texts(
    `Keys of the topics that the subscriber is subscribed to, at most ${LIMITS.subscriberTopics}; \`GET ` +
      `/v2/subscribers/{subscriberId}/subscriptions\` has all of them.`,
    { optional: true, deprecated: true },
  )
  topics?: string[];
  @Flag('True when the subscriber has more topics; otherwise left out.', { optional: true }) topicsCapped?: boolean;
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
