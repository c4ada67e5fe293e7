import type { ProviderId } from './provider-ids';

/** A field of a channel endpoint. All of them are texts. */
type EndpointField = 'channelId' | 'userId' | 'teamId' | 'chatId' | 'url' | 'channel' | 'phoneNumber';

type EndpointTypeFacts = {
  providers: readonly ProviderId[];
  required: readonly EndpointField[];
  optional?: readonly EndpointField[];
};

const ENDPOINT_TYPE_FACTS = {
  slack_channel: { providers: ['slack'], required: ['channelId'] },
  slack_user: { providers: ['slack'], required: ['userId'] },
  ms_teams_channel: { providers: ['msteams'], required: ['teamId', 'channelId'] },
  ms_teams_user: { providers: ['msteams'], required: ['userId'] },
  telegram_chat: { providers: ['telegram'], required: ['chatId'] },
  phone: { providers: ['whatsapp-business'], required: ['phoneNumber'] },
  webhook: {
    providers: [
      'slack',
      'discord',
      'msteams',
      'mattermost',
      'ryver',
      'zulip',
      'grafana-on-call',
      'getstream',
      'rocket-chat',
      'chat-webhook',
    ],
    required: ['url'],
    optional: ['channel'],
  },
} as const satisfies Record<string, EndpointTypeFacts>;

export type EndpointType = keyof typeof ENDPOINT_TYPE_FACTS;
export const ENDPOINT_TYPES = Object.keys(ENDPOINT_TYPE_FACTS) as EndpointType[];

export const endpointTypeFacts = (type: EndpointType): EndpointTypeFacts => ENDPOINT_TYPE_FACTS[type];

export type EndpointFields = Partial<Record<EndpointField, string>>;

/** A person or a place at a provider that a message can go to without a webhook. */
export type ChatAddress =
  | { type: 'slack_channel'; channelId: string }
  | { type: 'slack_user'; userId: string }
  | { type: 'ms_teams_channel'; teamId: string; channelId: string }
  | { type: 'ms_teams_user'; userId: string }
  | { type: 'telegram_chat'; chatId: string };

/** Whose connection it is: of one subscriber, or of all subscribers with its contexts. */
export const CONNECTION_MODES = ['subscriber', 'shared'] as const;
export type ConnectionMode = (typeof CONNECTION_MODES)[number];

/** The token of a workspace and what is needed to get the next one. Times are ISO 8601. */
export type ConnectionAuth = {
  accessToken: string;
  refreshToken?: string;
  expiresAt?: string;
  refreshTokenExpiresAt?: string;
};

/** The workspace (Slack) or the tenant (Microsoft Teams) of a connection. */
export type Workspace = { id: string; name?: string; botUserId?: string };

/** What a setup link is for: a connection of a workspace, the identity of one subscriber, or the set-up of a bot. */
export type LinkPurpose = 'connect' | 'link_user' | 'mobile';
