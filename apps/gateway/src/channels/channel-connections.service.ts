import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ChannelConnectionDto,
  type ChannelConnectionListDto,
  type ConnectionAuth,
  type CreateChannelConnectionDto,
  DomainError,
  invalidField,
  type ListChannelConnectionsQuery,
  newId,
  type SubscriberRowId,
  type UpdateChannelConnectionDto,
  type Workspace,
  pick,
} from '@clarion/contracts';
import {
  ChannelConnectionRepository,
  CONNECTION_IDENTIFIER_KEY,
  type ChannelConnectionRow,
  Database,
  violatedUniqueConstraint,
} from '@clarion/persistence';
import { openConnection, sealConnection, SecretBox } from '@clarion/platform';
import { AuditLog } from '../edge/audit-log/audit-log';
import { isMask, maskText } from '../edge/http/masked-text';
import { cursorEnvelope } from '../edge/http/page';
import { type ChannelCaller, subscriberOf } from './channel-caller';
import { ChannelParties } from './channel-parties';

export type AllowedConnection = {
  integrationId: string;
  subscriberId?: SubscriberRowId;
  contextKeys: string[];
  identifier?: string;
  workspace: Workspace;
  auth: ConnectionAuth;
};

const TOKENS = ['accessToken', 'refreshToken'] as const;

@Injectable()
export class ChannelConnectionsService {
  constructor(
    private readonly database: Database,
    private readonly connections: ChannelConnectionRepository,
    private readonly parties: ChannelParties,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  create(caller: ChannelCaller, input: CreateChannelConnectionDto): Promise<ChannelConnectionDto> {
    refuseMasks(input.auth);
    return this.database.transaction(async () => {
      const integration = await this.parties.chatIntegration(caller, input.integrationIdentifier);
      const contextKeys = await this.parties.contexts(caller, input.context);
      const isShared = input.connectionMode === 'shared';
      const subscriberId = isShared ? undefined : subscriberOf(caller, input.subscriberId);
      const subscriber = subscriberId === undefined ? undefined : await this.parties.subscriber(caller, subscriberId);
      const { workspace, auth } = input;
      const row = await this.insert(caller, {
        integrationId: integration.id,
        subscriberId: subscriber?.id,
        contextKeys,
        identifier: input.identifier,
        workspace: { ...workspace },
        auth: { ...auth },
      });
      return this.describe(caller, row);
    });
  }

  async list(caller: ChannelCaller, query: ListChannelConnectionsQuery): Promise<ChannelConnectionListDto> {
    const isShared = query.connectionMode === 'shared';
    const filter = {
      ...this.parties.filterOf(query),
      mode: query.connectionMode,
      ...(caller.subscriber && {
        contextKeys: caller.subscriber.contextKeys,
        subscriberId: isShared ? undefined : caller.subscriber.subscriberId,
      }),
    };
    const result = await this.connections.list(caller.environmentId, filter, query);
    return cursorEnvelope(result, (row) => this.describe(caller, row));
  }

  async retrieve(caller: ChannelCaller, identifier: string): Promise<ChannelConnectionDto> {
    const row = await this.connections.find(caller.environmentId, identifier);
    if (!row || !isVisible(caller, row)) throw notFound(identifier);
    return this.describe(caller, row);
  }

  update(
    caller: ChannelCaller,
    identifier: string,
    { workspace, auth }: UpdateChannelConnectionDto,
  ): Promise<ChannelConnectionDto> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, identifier);
      const stored = this.open(before);
      const next = withStoredTokens({ ...auth }, stored);
      const after = await this.replace(caller, before, { ...workspace }, next);
      return this.describe(caller, after);
    });
  }

  delete(caller: ChannelCaller, identifier: string): Promise<void> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, identifier);
      await this.connections.delete(caller.environmentId, before.id);
      await this.audit.recordIn(caller.actor, caller, {
        ...resourceOf(before),
        before: recorded(before, this.open(before)),
      });
    });
  }

  /** Stores it in the named connection, else in that of the same workspace, owner and contexts. In a transaction. */
  async allow(caller: ChannelCaller, allowed: AllowedConnection): Promise<ChannelConnectionRow> {
    const { environmentId } = caller;
    const { identifier, integrationId, workspace } = allowed;
    const known =
      identifier === undefined
        ? await this.connections.findWorkspace(environmentId, integrationId, workspace.id, allowed)
        : await this.connections.find(environmentId, identifier);
    if (!known) return this.insert(caller, allowed);
    if (known.integrationId !== integrationId) throw taken(known.identifier);
    const before = (await this.connections.lock(environmentId, known.identifier))!;
    // A link of a subscriber does not replace the token of a connection that others use.
    if (identifier !== undefined && !isOwn(caller, before)) throw taken(identifier);
    return this.replace(caller, before, workspace, allowed.auth);
  }

  private async insert(caller: ChannelCaller, allowed: AllowedConnection): Promise<ChannelConnectionRow> {
    const { environmentId } = caller;
    const { auth, identifier = `chconn-${randomBytes(8).toString('hex')}`, ...rest } = allowed;
    const id = newId();
    const sealed = sealConnection(this.secrets, { environmentId, id }, auth);
    try {
      await this.database.attempt(() =>
        this.connections.insert(environmentId, { ...rest, id, identifier, auth: sealed }),
      );
    } catch (error) {
      if (violatedUniqueConstraint(error) === CONNECTION_IDENTIFIER_KEY) throw taken(identifier);
      throw error;
    }
    const row = (await this.connections.find(environmentId, identifier))!;
    const after = recorded(row, auth);
    await this.audit.recordIn(caller.actor, caller, { ...resourceOf(row), after });
    return row;
  }

  private async replace(
    caller: ChannelCaller,
    before: ChannelConnectionRow,
    workspace: Workspace,
    auth: ConnectionAuth,
  ): Promise<ChannelConnectionRow> {
    const { environmentId } = caller;
    const sealed = sealConnection(this.secrets, { environmentId, id: before.id }, auth);
    await this.connections.update(environmentId, before.id, workspace, sealed);
    const after = (await this.connections.find(environmentId, before.identifier))!;
    await this.audit.recordIn(caller.actor, caller, {
      ...resourceOf(before),
      before: recorded(before, this.open(before)),
      after: recorded(after, auth),
    });
    return after;
  }

  private async lock(caller: ChannelCaller, identifier: string): Promise<ChannelConnectionRow> {
    const row = await this.connections.lock(caller.environmentId, identifier);
    if (!row || !isOwn(caller, row)) throw notFound(identifier);
    return row;
  }

  /** Undefined when no key opens the stored tokens: the connection can still be shown, replaced and deleted. */
  private open(row: ChannelConnectionRow): ConnectionAuth | undefined {
    try {
      return openConnection(this.secrets, row);
    } catch {
      return undefined;
    }
  }

  private describe(caller: ChannelCaller, row: ChannelConnectionRow): ChannelConnectionDto {
    const auth = this.open(row) ?? { accessToken: '' };
    return {
      ...pick(row, 'identifier', 'channel', 'providerId', 'integrationIdentifier'),
      subscriberId: row.externalSubscriberId,
      contextKeys: row.contextKeys,
      workspace: row.workspace,
      auth: caller.seesSecrets ? auth : masked(auth),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

const isOwn = ({ subscriber }: ChannelCaller, { externalSubscriberId }: ChannelConnectionRow): boolean =>
  !subscriber || externalSubscriberId === subscriber.subscriberId;

/** A subscriber sees its connections, and the shared ones of exactly its contexts. */
function isVisible({ subscriber }: ChannelCaller, row: ChannelConnectionRow): boolean {
  if (!subscriber) return true;
  if (row.externalSubscriberId !== null) return row.externalSubscriberId === subscriber.subscriberId;
  const { contextKeys } = subscriber;
  return row.contextKeys.length === contextKeys.length && row.contextKeys.every((key) => contextKeys.includes(key));
}

const notFound = (identifier: string): DomainError =>
  new DomainError('not_found', `Channel connection ${identifier} was not found`);

const taken = (identifier: string): DomainError =>
  new DomainError('conflict', `A channel connection with the identifier ${identifier} already exists`);

const resourceOf = ({ identifier, subscriberId }: ChannelConnectionRow) => ({
  resource: 'channel_connection' as const,
  id: identifier,
  isPersonal: subscriberId !== null,
});

/** The row as the audit log compares it, which stores no values of `credentials` and `data`. */
function recorded(row: ChannelConnectionRow, auth: ConnectionAuth | undefined): object {
  const { subscriberId, integrationId, identifier, workspace, contextKeys } = row;
  const words = subscriberId === null ? { identifier, workspace } : { data: workspace };
  return { subscriberId, integrationId, contextKeys, ...words, credentials: auth };
}

const masked = (auth: ConnectionAuth): ConnectionAuth => ({
  ...auth,
  accessToken: maskText(auth.accessToken),
  ...(auth.refreshToken !== undefined && { refreshToken: maskText(auth.refreshToken) }),
});

function refuseMasks(auth: ConnectionAuth): void {
  for (const field of TOKENS) {
    if (isMask(auth[field] ?? ''))
      throw invalidField(`auth.${field}`, `auth.${field} is masked: send the token itself`);
  }
}

/** Replaces masks that were sent back by the stored tokens. */
function withStoredTokens(given: ConnectionAuth, stored: ConnectionAuth | undefined): ConnectionAuth {
  const next = { ...given };
  for (const field of TOKENS) {
    const known = stored?.[field];
    if (known !== undefined && next[field] === maskText(known)) next[field] = known;
  }
  refuseMasks(next);
  return next;
}
