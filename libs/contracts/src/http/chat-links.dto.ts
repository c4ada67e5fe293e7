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

  @Text({
    ...CHANNEL_IDENTIFIER,
    description: 'The connection to make or to use; a connection of this identifier gets the new token.',
  })
  connectionIdentifier?: string;

  @JsonMap(CONTEXT_OF_CHANNEL) context?: JsonObject;
}

export class ConnectOAuthUrlDto extends ChatLinkDto {
  @Text({ ...SUBSCRIBER_ID, optional: true, description: 'The owner of the connection, and the person to link.' })
  subscriberId?: string;

  @Text(CONTEXT_HASH) contextHash?: string;

  @Texts({
    ...SCOPES,
    description:
      'Slack only. Default: chat:write, chat:write.public, channels:read, groups:read, users:read, users:read.email.',
  })
  scope?: string[];

  @Choice(CONNECTION_MODES, { optional: true, description: 'Default subscriber.' })
  connectionMode?: ConnectionMode;

  @Flag({
    optional: true,
    description: 'Also makes an endpoint of the person who connects. Default true, unless the connection is shared.',
  })
  autoLinkUser?: boolean;
}

export class ChatOAuthUrlDto extends ConnectOAuthUrlDto {
  @Texts({ ...SCOPES, description: 'Slack only, for link_user. Default: identity.basic.' })
  userScope?: string[];

  @Choice(CHAT_LINK_MODES, {
    optional: true,
    description: 'Default connect: a workspace. `link_user`: only the identity of the subscriber.',
  })
  mode?: (typeof CHAT_LINK_MODES)[number];
}

class UserLinkDto extends ChatLinkDto {
  @Text(CONTEXT_HASH) contextHash?: string;
  @Texts({ ...SCOPES, description: 'Slack only. Default: identity.basic.' }) userScope?: string[];
}

export class LinkUserOAuthUrlDto extends UserLinkDto {
  @Text(SUBSCRIBER_ID) subscriberId!: string;
}

/** In an inbox the subscriber of the session is linked. */
export class InboxLinkUserDto extends UserLinkDto {
  @Text({ ...SUBSCRIBER_ID, optional: true, description: 'The subscriber of the session.' })
  subscriberId?: string;
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
  @Text({
    description: `Leads a browser to the provider. Open it within ${LIMITS.oauthLinkMinutes} minutes. It works once.`,
  })
  url!: string;
}

export class LinkChannelEndpointResponseDto {
  @Text({ description: `An OAuth page or a deep link; works once, within ${LIMITS.oauthLinkMinutes} minutes.` })
  url!: string;

  @JsonMap({ optional: true, description: 'What the provider says about the link, such as the name of the bot.' })
  providerMetadata?: JsonObject;
}

export class MobileLinkDto {
  @Text({ ...SUBSCRIBER_ID, optional: true, description: 'The subscriber to link after the bot is set up.' })
  subscriberId?: string;
}

export class MobileLinkResponseDto {
  @Text({ description: 'Works once.' }) token!: string;
  @Text({ description: 'The page that sets up the bot, for a phone.' }) url!: string;
  @Text({ description: 'ISO 8601.' }) expiresAt!: string;
}

export class ChatWebhookDto {
  @Text({ description: 'The URL that the provider now calls.' }) webhookUrl!: string;
  @Text({ description: 'ISO 8601.' }) configuredAt!: string;
  @Text({ description: 'The name of the bot at the provider.' }) botUsername!: string;
}

export class AutoConfigureDto {
  @Flag({ description: 'True: the provider now reports delivery events to this installation.' }) success!: boolean;
  @Text({ optional: true, description: 'What was done, or why nothing was.' }) message?: string;
  @JsonMap({ optional: true, description: 'The integration afterwards, without credentials.' })
  integration?: JsonObject;
}

/** A call of the provider's API, as the response to its call. Empty when there is nothing to reply. */
export class BotReplyDto {
  @Text({ optional: true }) method?: string;
  @Text({ optional: true }) chat_id?: string;
  @Text({ optional: true }) text?: string;
}
