import { Injectable } from '@nestjs/common';
import {
  type ChatOAuthUrlDto,
  type ConnectOAuthUrlDto,
  type CredentialsDto,
  DomainError,
  type InboxLinkEndpointDto,
  type InboxLinkUserDto,
  LIMITS,
  type LinkChannelEndpointResponseDto,
} from '@clarion/contracts';
import { Database, type Integration, type SetupLinkDetails } from '@clarion/persistence';
import { Egress, openIntegration, SecretBox } from '@clarion/platform';
import { type CallContext, chatBotOf, type ChatConnect, chatConnectOf, describeProvider } from '@clarion/providers';
import { type ChannelCaller, subscriberOf } from './channel-caller';
import { ChannelParties } from './channel-parties';
import { SetupLinks } from './setup-links';

/** Below it: the links that people open, and the path to which a provider sends them back. */
export const OAUTH = '/v1/integrations/chat/oauth';

type Wanted = {
  integrationIdentifier: string;
  subscriberId?: string;
  connectionIdentifier?: string;
  context?: ConnectOAuthUrlDto['context'];
};

@Injectable()
export class ChatLinksService {
  constructor(
    private readonly database: Database,
    private readonly parties: ChannelParties,
    private readonly links: SetupLinks,
    private readonly secrets: SecretBox,
    private readonly egress: Egress,
  ) {}

  /** A link to connect a workspace or, with the mode `link_user`, to link a person. */
  chatUrl(caller: ChannelCaller, publicUrl: string, input: ChatOAuthUrlDto): Promise<string> {
    if (input.mode !== 'link_user') {
      return this.connectUrl(caller, publicUrl, { ...input, autoLinkUser: input.autoLinkUser ?? false });
    }
    const subscriberId = subscriberOf(caller, input.subscriberId);
    if (subscriberId === undefined) throw new DomainError('bad_request', 'subscriberId is needed to link a person');
    return this.linkUserUrl(caller, publicUrl, { ...input, subscriberId });
  }

  connectUrl(caller: ChannelCaller, publicUrl: string, input: ConnectOAuthUrlDto): Promise<string> {
    const isShared = input.connectionMode === 'shared';
    const linksUser = input.autoLinkUser ?? !isShared;
    return this.startUrl(caller, publicUrl, input, 'connect', input.scope, { isShared, linksUser });
  }

  linkUserUrl(caller: ChannelCaller, publicUrl: string, input: InboxLinkUserDto): Promise<string> {
    return this.startUrl(caller, publicUrl, input, 'link_user', input.userScope, {});
  }

  /** A link for one person: to the bot of the integration, or to the provider's sign-in page. */
  async linkEndpoint(
    caller: ChannelCaller,
    publicUrl: string,
    input: InboxLinkEndpointDto & { subscriberId?: string },
  ): Promise<LinkChannelEndpointResponseDto> {
    const { integration, bot, named } = await this.database.beforehand(() => this.botNamed(caller, input));
    if (!bot) return { url: await this.linkUserUrl(caller, publicUrl, input) };
    if (!named.ok) throw new DomainError('bad_request', named.message);
    const code = await this.issue(caller, integration, input, 'link_user', { redirectUri: '' });
    return { url: bot.startLink(named.name, code), providerMetadata: { botUsername: named.name } };
  }

  contextOf({ providerId }: Pick<Integration, 'providerId'>): CallContext {
    return { ...this.egress.portsFor(providerId), overrides: {}, now: () => new Date() };
  }

  private async botNamed(caller: ChannelCaller, { integrationIdentifier }: InboxLinkEndpointDto) {
    const integration = await this.parties.chatIntegration(caller, integrationIdentifier);
    const bot = chatBotOf(integration.providerId);
    if (!bot) return { integration };
    const { credentials } = openIntegration(this.secrets, integration);
    return { integration, bot, named: await bot.nameOf(credentials, this.contextOf(integration)) };
  }

  /** A link of this service: it leads to the provider's page, and remembers the browser that opened it. */
  private async startUrl(
    caller: ChannelCaller,
    publicUrl: string,
    input: Wanted,
    purpose: 'connect' | 'link_user',
    scopes: string[] | undefined,
    more: Partial<SetupLinkDetails>,
  ): Promise<string> {
    const integration = await this.parties.chatIntegration(caller, input.integrationIdentifier);
    const { credentials } = openIntegration(this.secrets, integration);
    connectOf(integration, credentials);
    const redirectUri = `${publicUrl}${OAUTH}/callback`;
    const details = { ...more, redirectUri, ...(scopes?.length && { scopes }) };
    return `${publicUrl}${OAUTH}/start/${await this.issue(caller, integration, input, purpose, details)}`;
  }

  private issue(
    caller: ChannelCaller,
    integration: Integration,
    input: Wanted,
    purpose: 'connect' | 'link_user',
    more: Partial<SetupLinkDetails> & { redirectUri: string },
  ): Promise<string> {
    return this.database.transaction(async () => {
      const subscriberId = subscriberOf(caller, input.subscriberId);
      if (subscriberId !== undefined) await this.parties.subscriber(caller, subscriberId);
      const contextKeys = await this.parties.contexts(caller, input.context);
      const { environmentId } = caller;
      const isOwn = caller.subscriber !== undefined;
      const { connectionIdentifier } = input;
      const details = { ...more, subscriberId, contextKeys, connectionIdentifier, ...(isOwn && { isOwn }) };
      const wanted = { environmentId, integrationId: integration.id, purpose, details };
      return (await this.links.issue(wanted, LIMITS.oauthLinkMinutes)).code;
    });
  }
}

export function connectOf({ providerId }: Pick<Integration, 'providerId'>, credentials: CredentialsDto): ChatConnect {
  const connect = chatConnectOf(providerId);
  const { displayName } = describeProvider(providerId);
  if (!connect) throw new DomainError('bad_request', `${displayName} has no OAuth flow`);
  const missing = connect.required.filter((field) => !credentials[field]);
  if (missing.length > 0) {
    throw new DomainError('bad_request', `The credentials of the integration lack ${missing.join(' and ')}`);
  }
  return connect;
}
