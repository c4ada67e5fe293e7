import { LIMITS } from '../limits';
import { type Channel, CHANNELS } from '../vocabulary';
import { Child, Children, Choice, Flag, Ids, OneOf, QueryFlag, QueryWhole, Text } from './fields';
import { NamedMessagesDto } from './inbox.dto';
import { ChannelFlagsDto } from './preferences.dto';
import { CreateSubscriberDto } from './subscribers.dto';

/** The interface of the older clients of the inbox (`@novu/headless`, `@novu/client`). */

export class OpenWidgetDto extends CreateSubscriberDto {
  @Text('The `identifier` of the environment.', { minLength: 1, maxLength: 256 }) applicationIdentifier!: string;

  @Text('The `subscriberHash` of an inbox session.', { optional: true, nullable: true, maxLength: 256 })
  hmacHash?: string | null;
}

export class WidgetProfileDto {
  @Text() _id!: string;
  @Text() subscriberId!: string;
  @Text() organizationId!: string;
  @Text() environmentId!: string;
  @Text({ optional: true }) firstName?: string;
  @Text({ optional: true }) lastName?: string;
  @Text({ optional: true }) email?: string;
}

export class WidgetSessionDto {
  @Text(`For \`Authorization: Bearer\`, valid for ${LIMITS.inboxTokenHours} hours.`) token!: string;
  @Child(() => WidgetProfileDto) profile!: WidgetProfileDto;
}

export class WidgetOrganizationDto {
  @Text() _id!: string;
}

export class WidgetCountQuery {
  @QueryFlag('Count only the seen ones, or only the unseen ones.') seen?: boolean;
  @QueryFlag('Count only the read ones, or only the unread ones.') read?: boolean;
  @QueryWhole('Count no further.', { min: 1, max: 1000, default: LIMITS.inboxCount }) limit: number = LIMITS.inboxCount;
}

export class WidgetMarkDto {
  @Flag({ optional: true }) seen?: boolean;
  @Flag({ optional: true }) read?: boolean;
}

export class MarkWidgetMessagesDto extends NamedMessagesDto {
  @Child(() => WidgetMarkDto, 'What they become. `read` decides if both are given.') mark!: WidgetMarkDto;
}

export class WidgetIdsDto {
  @Ids({ max: LIMITS.inboxIds }) messageIds!: string[];
}

/** A list of feeds does not exist: a `feedId` matches no message. */
export class WidgetFeedDto {
  @OneOf(
    [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    (value) => typeof value === 'string' || (Array.isArray(value) && value.every((id) => typeof id === 'string')),
    'must be a text or a list of texts',
    'There are no feeds: no message is in the one that is named.',
    { optional: true, deprecated: true },
  )
  feedId?: string | string[];
}

export class WidgetFeedQuery {
  @Text('There are no feeds: no message is in the one that is named.', { optional: true, deprecated: true })
  feedId?: string;
}

export class WidgetChannelDto {
  @Choice(CHANNELS) type!: Channel;
  @Flag() enabled!: boolean;
}

export class ChangeWidgetPreferenceDto {
  @Child(() => WidgetChannelDto, { optional: true }) channel?: WidgetChannelDto;
  @Flag('Without `channel`: all channels.', { optional: true }) enabled?: boolean;
}

export class ChangeWidgetPreferencesDto {
  @Children(() => WidgetChannelDto, { optional: true, max: CHANNELS.length }) preferences?: WidgetChannelDto[];
  @Flag('Without `preferences`: all channels.', { optional: true }) enabled?: boolean;
}

export class WidgetTemplateDto {
  @Text('The workflow.') _id!: string;
  @Text() name!: string;
  @Flag() critical!: boolean;
}

export class WidgetChannelsDto {
  @Flag() enabled!: boolean;
  @Child(() => ChannelFlagsDto) channels!: ChannelFlagsDto;
}

export class WidgetPreferenceDto {
  @Child(() => WidgetTemplateDto, 'Absent in the global preference.', { optional: true }) template?: WidgetTemplateDto;
  @Child(() => WidgetChannelsDto) preference!: WidgetChannelsDto;
}
