import { Injectable } from '@nestjs/common';
import { type CredentialsDto, DomainError, LIMITS } from '@clarion/contracts';
import {
  ChannelConnectionRepository,
  Database,
  type Integration,
  IntegrationRepository,
  type OpenSetupLink,
  type Subscriber,
} from '@clarion/persistence';
import { openIntegration, SecretBox, sha256 } from '@clarion/platform';
import { type CallContext, type ChatConnect, type Connected, type ConnectFlow, isSame } from '@clarion/providers';
import type { ChannelCaller } from './channel-caller';
import { ChannelConnectionsService } from './channel-connections.service';
import { ChannelEndpointsService } from './channel-endpoints.service';
import { ChannelParties } from './channel-parties';
import { ChatLinksService, connectOf } from './chat-links.service';
import { CODE_LENGTH, SetupLinks } from './setup-links';

type Visit = {
  link: Pick<OpenSetupLink, 'purpose' | 'details'>;
  integration: Integration;
  credentials: CredentialsDto;
  connect: ChatConnect;
  context: CallContext;
};

/** Where the visitor goes next; undefined: a page says that it is done. */
export type Finished = { redirectTo?: string };

@Injectable()
export class OAuthFlowService {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly repository: ChannelConnectionRepository,
    private readonly connections: ChannelConnectionsService,
    private readonly endpoints: ChannelEndpointsService,
    private readonly parties: ChannelParties,
    private readonly chatLinks: ChatLinksService,
    private readonly links: SetupLinks,
    private readonly secrets: SecretBox,
  ) {}

  /** Where the visitor agrees. Only a browser with the secret can finish what this begins. */
  async begin(code: string, secret: string): Promise<Finished> {
    const link = await this.links.read(code, ['connect', 'link_user']);
    return this.database.asTenant(link.environmentId, async () => {
      const visit = await this.visitOf(link);
      return { redirectTo: authorizeUrl(visit, code + hashOf(secret)) };
    });
  }

  async finish(query: Readonly<Record<string, string>>, secret: string | undefined): Promise<Finished> {
    const { state = '' } = query;
    const link = await this.links.read(state.slice(0, CODE_LENGTH), ['connect', 'link_user']);
    const binding = state.slice(CODE_LENGTH);
    if (secret === undefined || !isSame(binding, hashOf(secret))) {
      throw new DomainError(
        'bad_request',
        'This link was opened in another browser. Open it in this one and try again.',
      );
    }
    // Used up first: a code that is exchanged twice makes some providers withdraw both tokens.
    await this.links.use(link);
    return this.database.asTenant(link.environmentId, () => this.finishLink(link, binding, query));
  }

  private async finishLink(
    link: OpenSetupLink,
    binding: string,
    query: Readonly<Record<string, string>>,
  ): Promise<Finished> {
    const visit = await this.visitOf(link);
    const { connect, credentials, context, integration } = visit;
    const result = await connect.finish(flowOf(link, query['state']!), query, credentials, context);
    if (!result.ok) throw new DomainError('bad_request', result.message);
    if ('tenantId' in result) {
      const { environmentId, integrationId, purpose } = link;
      const details = { ...link.details, tenantId: result.tenantId };
      const next = { environmentId, integrationId, purpose, details };
      const { code } = await this.links.issue(next, LIMITS.oauthLinkMinutes);
      return { redirectTo: authorizeUrl({ ...visit, link: next }, code + binding) };
    }
    await this.database.transaction(() => this.store(link, integration, result));
    return redirectOf(credentials);
  }

  private async visitOf(link: OpenSetupLink): Promise<Visit> {
    const integration = await this.integrations.find(link.environmentId, link.integrationId);
    if (!integration) throw new DomainError('bad_request', 'The integration of this link was deleted');
    const { credentials } = openIntegration(this.secrets, integration);
    const context = this.chatLinks.contextOf(integration);
    return { link, integration, credentials, connect: connectOf(integration, credentials), context };
  }

  private async store(link: OpenSetupLink, integration: Integration, connected: Connected): Promise<void> {
    const { subscriberId, isOwn, contextKeys } = link.details;
    const caller: ChannelCaller = {
      organizationId: link.organizationId,
      environmentId: link.environmentId,
      actor: 'person',
      seesSecrets: false,
      ...(isOwn && subscriberId !== undefined && { subscriber: { subscriberId, contextKeys } }),
    };
    const subscriber = subscriberId === undefined ? undefined : await this.parties.subscriber(caller, subscriberId);
    if (link.purpose === 'connect') await this.storeConnection(caller, link, integration, subscriber, connected);
    else await this.storeUser(caller, link, integration, subscriber!, connected);
  }

  private async storeConnection(
    caller: ChannelCaller,
    { details }: OpenSetupLink,
    { id: integrationId }: Integration,
    subscriber: Subscriber | undefined,
    { workspace, auth, user, webhook }: Connected,
  ): Promise<void> {
    const { contextKeys, isShared, linksUser, connectionIdentifier: identifier } = details;
    const owner = isShared ? undefined : subscriber?.id;
    const connection = await this.connections.allow(caller, {
      integrationId,
      ...(owner !== undefined && { subscriberId: owner }),
      contextKeys,
      ...(identifier !== undefined && { identifier }),
      workspace: workspace!,
      auth: auth!,
    });
    if (!subscriber) return;
    const common = { integrationId, subscriberId: subscriber.id, connectionId: connection.id, contextKeys };
    if (linksUser && user) {
      const { type, ...fields } = user;
      await this.endpoints.link(caller, { ...common, type, fields });
    }
    if (webhook) await this.endpoints.link(caller, { ...common, type: 'webhook', fields: webhook });
  }

  private async storeUser(
    caller: ChannelCaller,
    { details }: OpenSetupLink,
    { id: integrationId }: Integration,
    subscriber: Subscriber,
    { workspace, user }: Connected,
  ): Promise<void> {
    const { contextKeys, connectionIdentifier } = details;
    const connectionId = await this.connectionFor(caller, integrationId, connectionIdentifier, workspace!.id);
    const { type, ...fields } = user!;
    await this.endpoints.link(caller, {
      integrationId,
      subscriberId: subscriber.id,
      contextKeys,
      ...(connectionId !== undefined && { connectionId }),
      type,
      fields,
    });
  }

  /** The connection that was named, which has to be one of the person's workspace; else the newest of the workspace. */
  private async connectionFor(
    { environmentId }: ChannelCaller,
    integrationId: string,
    identifier: string | undefined,
    workspaceId: string,
  ): Promise<string | undefined> {
    if (identifier === undefined) {
      return (await this.repository.findWorkspace(environmentId, integrationId, workspaceId))?.id;
    }
    const row = await this.repository.find(environmentId, identifier);
    if (row?.integrationId === integrationId && row.workspace.id === workspaceId) return row.id;
    throw new DomainError('bad_request', 'The person does not belong to the workspace of this connection');
  }
}

const authorizeUrl = ({ link, connect, credentials, context }: Visit, state: string): string =>
  connect.authorizeUrl(flowOf(link, state), credentials, context.http);

function flowOf({ purpose, details }: Visit['link'], state: string): ConnectFlow {
  const { redirectUri = '', tenantId, scopes } = details;
  return {
    purpose: purpose as ConnectFlow['purpose'],
    state,
    redirectUri,
    ...(scopes && { scopes }),
    ...(tenantId !== undefined && { tenantId }),
  };
}

const hashOf = (secret: string): string => sha256(secret).toString('base64url');

/** Only the integration says where visitors go: nothing in the request does. */
function redirectOf({ redirectUrl }: CredentialsDto): Finished {
  const isWeb = redirectUrl !== undefined && /^https?:\/\//i.test(redirectUrl) && URL.canParse(redirectUrl);
  return isWeb ? { redirectTo: new URL(redirectUrl).href } : {};
}
