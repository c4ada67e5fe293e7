import { CONNECTION_MODES, type ConnectionMode } from '../channel-endpoints';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { CHANNEL_IDENTIFIER, CONTEXT_OF_CHANNEL } from './channel-connections.dto';
import { Choice, Flag, JsonMap, Text, Texts } from './fields';

const SCOPES = { optional: true, max: 50, maxLength: 200 } as const;
const SUBSCRIBER_ID = { minLength: 1, maxLength: 512 } as const;
const INTEGRATION = { minLength: 1, maxLength: 256, description: 'The identifier of the integration.' } as const;
const CONTEXT_HASH = {
  optional: true,
  maxLength: 200,
  description:
    'HMAC-SHA256 (hex) of the context as canonical JSON, keyed with an API key of the environment. Only pages need ' +
    'it, for shared connections: an API key proves the same.',
} as const;

export const CHAT_LINK_MODES = ['connect', 'link_user'] as const;

/** What every link to a chat provider can say. */
class ChatLinkDto {
  @Text(INTEGRATION) integrationIdentifier!: string;

  @Text('The connection to make or to use; a connection of this identifier gets the new token.', {
    ...CHANNEL_IDENTIFIER,
  })
  connectionIdentifier?: string;

  @JsonMap(CONTEXT_OF_CHANNEL) context?: JsonObject;
}

export class ConnectOAuthUrlDto extends ChatLinkDto {
  @Text('The owner of the connection, and the person to link.', { ...SUBSCRIBER_ID, optional: true })
  subscriberId?: string;

  @Text(CONTEXT_HASH) contextHash?: string;

  @Texts(
    'Slack only. Default: chat:write, chat:write.public, channels:read, groups:read, users:read, users:read.email.',
    { ...SCOPES },
  )
  scope?: string[];

  @Choice(CONNECTION_MODES, 'Default subscriber.', { optional: true }) connectionMode?: ConnectionMode;

  @Flag('Also makes an endpoint of the person who connects. Default true, unless the connection is shared.', {
    optional: true,
  })
  autoLinkUser?: boolean;
}

export class ChatOAuthUrlDto extends ConnectOAuthUrlDto {
  @Texts('Slack only, for link_user. Default: identity.basic.', { ...SCOPES }) userScope?: string[];

  @Choice(CHAT_LINK_MODES, 'Default connect: a workspace. `link_user`: only the identity of the subscriber.', {
    optional: true,
  })
  mode?: (typeof CHAT_LINK_MODES)[number];
}

class UserLinkDto extends ChatLinkDto {
  @Text(CONTEXT_HASH) contextHash?: string;
  @Texts('Slack only. Default: identity.basic.', { ...SCOPES }) userScope?: string[];
}

export class LinkUserOAuthUrlDto extends UserLinkDto {
  @Text(SUBSCRIBER_ID) subscriberId!: string;
}

/** In an inbox the subscriber of the session is linked. */
export class InboxLinkUserDto extends UserLinkDto {
  @Text('The subscriber of the session.', { ...SUBSCRIBER_ID, optional: true }) subscriberId?: string;
}

class EndpointLinkDto {
  @Text(INTEGRATION) integrationIdentifier!: string;
  @JsonMap(CONTEXT_OF_CHANNEL) context?: JsonObject;
  @Text(CONTEXT_HASH) contextHash?: string;
}

export class LinkChannelEndpointDto extends EndpointLinkDto {
  @Text(SUBSCRIBER_ID) subscriberId!: string;
}

export class InboxLinkEndpointDto extends EndpointLinkDto {}

export class ChatOAuthUrlResponseDto {
  @Text(`Leads a browser to the provider. Open it within ${LIMITS.oauthLinkMinutes} minutes. It works once.`)
  url!: string;
}

export class LinkChannelEndpointResponseDto {
  @Text(`An OAuth page or a deep link; works once, within ${LIMITS.oauthLinkMinutes} minutes.`) url!: string;

  @JsonMap('What the provider says about the link, such as the name of the bot.', { optional: true })
  providerMetadata?: JsonObject;
}

export class MobileLinkDto {
  @Text('The subscriber to link after the bot is set up.', { ...SUBSCRIBER_ID, optional: true }) subscriberId?: string;
}

export class MobileLinkResponseDto {
  @Text('Works once.') token!: string;
  @Text('The page that sets up the bot, for a phone.') url!: string;
  @Text('ISO 8601.') expiresAt!: string;
}

export class ChatWebhookDto {
  @Text('The URL that the provider now calls.') webhookUrl!: string;
  @Text('ISO 8601.') configuredAt!: string;
  @Text('The name of the bot at the provider.') botUsername!: string;
}

export class AutoConfigureDto {
  @Flag('True: the provider now reports delivery events to this installation.') success!: boolean;
  @Text('What was done, or why nothing was.', { optional: true }) message?: string;
  @JsonMap('The integration afterwards, without credentials.', { optional: true }) integration?: JsonObject;
}

/** A call of the provider's API, as the response to its call. Empty when there is nothing to reply. */
export class BotReplyDto {
  @Text({ optional: true }) method?: string;
  @Text({ optional: true }) chat_id?: string;
  @Text({ optional: true }) text?: string;
}
