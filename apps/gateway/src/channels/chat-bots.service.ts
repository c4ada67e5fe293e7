import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ChatWebhookDto,
  type CredentialsDto,
  DomainError,
  type EnvironmentId,
  isId,
  type JsonObject,
  LIMITS,
  type MobileLinkResponseDto,
} from '@clarion/contracts';
import {
  Database,
  type Integration,
  IntegrationRepository,
  type KeyOwner,
  type OpenSetupLink,
} from '@clarion/persistence';
import { openIntegration, SecretBox } from '@clarion/platform';
import { type BotStart, type ChatBot, chatBotOf, describeProvider, isSame } from '@clarion/providers';
import { TenantRates } from '../edge/http/tenant-rates';
import { IntegrationSettings } from './integrations/integration-settings.service';
import { type ChannelCaller, callerWithKey } from './channel-caller';
import { ChannelEndpointsService } from './channel-endpoints.service';
import { ChannelParties } from './channel-parties';
import { ChatLinksService } from './chat-links.service';
import { SetupLinks } from './setup-links';

/** A bot that a person has just set up, with the link that opens it for a subscriber. */
export type ReadyBot = { name: string; startLink?: string };

/** What opens a link is short; what people send besides, with files and replies, may be long. */
const START_BYTES = 64 * 1024;

const BOT_TOKEN = /^\d{3,20}:[\w-]{20,100}$/;
const LINKED = 'You will get your messages here.';
const NOT_LINKED = 'This link is not valid any more. Please ask for a new one.';

/** Bots that people write to: their webhook, the link that sets one up, and the messages that open links. */
@Injectable()
export class ChatBotsService {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly settings: IntegrationSettings,
    private readonly endpoints: ChannelEndpointsService,
    private readonly parties: ChannelParties,
    private readonly chatLinks: ChatLinksService,
    private readonly links: SetupLinks,
    private readonly secrets: SecretBox,
    private readonly rates: TenantRates,
  ) {}

  /** Asks the provider to send the messages of people to this service. */
  async configureWebhook(owner: KeyOwner, identifier: string, publicUrl: string): Promise<ChatWebhookDto> {
    const { id, name, webhookUrl, key } = await this.database.beforehand(async () => {
      const integration = await this.parties.chatIntegration(callerWithKey(owner, true), identifier);
      const { credentials } = openIntegration(this.secrets, integration);
      return { id: integration.id, ...(await this.register(integration, credentials, publicUrl)) };
    });
    await this.settings.store(owner, owner, id, {
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: key },
    });
    return { webhookUrl, configuredAt: new Date().toISOString(), botUsername: name };
  }

  async mobileLink(
    owner: KeyOwner,
    identifier: string,
    publicUrl: string,
    subscriberId?: string,
  ): Promise<MobileLinkResponseDto> {
    const caller = callerWithKey(owner, true);
    const integration = await this.parties.chatIntegration(caller, identifier);
    botOf(integration);
    if (subscriberId !== undefined) await this.parties.subscriber(caller, subscriberId);
    const { code, expiresAt } = await this.links.issue(
      {
        environmentId: owner.environmentId,
        integrationId: integration.id,
        purpose: 'mobile',
        details: { contextKeys: [], ...(subscriberId !== undefined && { subscriberId }) },
      },
      LIMITS.mobileLinkMinutes,
    );
    const url = `${publicUrl}/setup/chat/${integration.id}/${code}`;
    return { token: code, url, expiresAt: expiresAt.toISOString() };
  }

  /** The integration that a mobile link is for. The link stays usable. */
  async readMobileLink(
    integrationId: string,
    code: string,
  ): Promise<{ link: OpenSetupLink; integration: Integration }> {
    const link = await this.links.read(code, ['mobile']);
    const integration = await this.integrations.find(link.environmentId, link.integrationId);
    if (!integration || integration.id !== integrationId) {
      throw new DomainError('bad_request', 'The integration of this link was deleted');
    }
    return { link, integration };
  }

  /** Sets up the bot with the token that a person has entered. A token that the provider rejects leaves the link. */
  async setUp(integrationId: string, code: string, token: string, publicUrl: string): Promise<ReadyBot> {
    const { link, integration } = await this.readMobileLink(integrationId, code);
    if (!BOT_TOKEN.test(token)) throw new DomainError('bad_request', 'This is not the token of a bot');
    const credentials = { apiToken: token };
    const { bot, name, key } = await this.register(integration, credentials, publicUrl);
    await this.links.use(link);
    const { environmentId } = link;
    return this.database.asTenant(environmentId, async () => {
      await this.settings.store('person', link, integration.id, {
        credentials,
        configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: key },
        active: true,
      });
      const { subscriberId } = link.details;
      if (subscriberId === undefined) return { name };
      const start = await this.links.issue(
        { environmentId, integrationId: integration.id, purpose: 'link_user', details: link.details },
        LIMITS.oauthLinkMinutes,
      );
      return { name, startLink: bot.startLink(name, start.code) };
    });
  }

  /** A message of a person to a bot. Always answered with success: the provider would repeat the call otherwise. */
  async receive(
    environmentId: string,
    integrationId: string,
    headers: Record<string, unknown>,
    body: Buffer,
  ): Promise<JsonObject> {
    const integration =
      isId(environmentId) && isId(integrationId)
        ? await this.integrations.find(environmentId.toLowerCase() as EnvironmentId, integrationId.toLowerCase())
        : undefined;
    const bot = integration && chatBotOf(integration.providerId);
    if (!bot) throw new DomainError('not_found', 'There is no such integration');
    const { inboundWebhookSigningKey: key = '' } = openIntegration(this.secrets, integration).configurations;
    if (key === '' || !isSame(String(headers[bot.keyHeader] ?? ''), key)) {
      throw new DomainError('unauthorized', `The header ${bot.keyHeader} does not hold the key of the integration`);
    }
    this.rates.require(integration.environmentId, 'inbound');
    const start = body.length > START_BYTES ? undefined : bot.readStart(body);
    if (!start) return {};
    const isLinked = await this.link(integration, start);
    return bot.reply(start.address, isLinked ? LINKED : NOT_LINKED);
  }

  private async link(integration: Integration, { code, address }: BotStart): Promise<boolean> {
    try {
      const link = await this.links.read(code, ['link_user']);
      if (link.integrationId !== integration.id) return false;
      await this.database.asTenant(link.environmentId, () =>
        this.database.transaction(async () => {
          await this.links.use(link);
          const { subscriberId, contextKeys } = link.details;
          const caller: ChannelCaller = { ...link, actor: 'person', seesSecrets: false };
          const subscriber = await this.parties.subscriber(caller, subscriberId!);
          const { type, ...fields } = address;
          const named = { integrationId: integration.id, subscriberId: subscriber.id, contextKeys, type, fields };
          await this.endpoints.link(caller, named);
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private async register(
    integration: Integration,
    credentials: CredentialsDto,
    publicUrl: string,
  ): Promise<{ bot: ChatBot; name: string; webhookUrl: string; key: string }> {
    const bot = botOf(integration);
    const context = this.chatLinks.contextOf(integration);
    const named = await bot.nameOf(credentials, context);
    if (!named.ok) throw new DomainError('bad_request', named.message);
    const webhookUrl = `${publicUrl}/v1/integrations/chat/updates/${integration.environmentId}/${integration.id}`;
    const key = randomBytes(24).toString('base64url');
    const done = await bot.setWebhook({ url: webhookUrl, key }, credentials, context);
    if (!done.ok) throw new DomainError('bad_request', done.message);
    return { bot, name: named.name, webhookUrl, key };
  }
}

function botOf({ providerId }: Integration): ChatBot {
  const bot = chatBotOf(providerId);
  if (bot) return bot;
  throw new DomainError('bad_request', `${describeProvider(providerId).displayName} has no bot; Telegram has one`);
}
