import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  isSameJson,
  type ChannelEndpointDto,
  type ChannelEndpointListDto,
  type CreateChannelEndpointDto,
  DomainError,
  type EndpointFields,
  type EndpointType,
  LIMITS,
  type ListChannelEndpointsQuery,
  newId,
  type SubscriberRowId,
  type UpdateChannelEndpointDto,
  pick,
} from '@clarion/contracts';
import {
  ChannelConnectionRepository,
  ChannelEndpointRepository,
  Database,
  ENDPOINT_IDENTIFIER_KEY,
  type EndpointRow,
  violatedUniqueConstraint,
} from '@clarion/persistence';
import { Egress, openEndpoint, sealEndpoint, SecretBox } from '@clarion/platform';
import { AuditLog } from '../edge/audit-log/audit-log';
import { cursorEnvelope } from '../edge/http/page';
import { type ChannelCaller, subscriberOf } from './channel-caller';
import { ChannelParties } from './channel-parties';
import { checkProvider, maskFields, readFields, type UrlFault } from './endpoint-fields';

export type NamedEndpoint = {
  integrationId: string;
  subscriberId: SubscriberRowId;
  connectionId?: string;
  contextKeys: string[];
  identifier?: string;
  type: EndpointType;
  fields: EndpointFields;
};

@Injectable()
export class ChannelEndpointsService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: ChannelEndpointRepository,
    private readonly connections: ChannelConnectionRepository,
    private readonly parties: ChannelParties,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
    private readonly egress: Egress,
  ) {}

  create(
    caller: ChannelCaller,
    input: Omit<CreateChannelEndpointDto, 'subscriberId'> & { subscriberId?: string },
  ): Promise<ChannelEndpointDto> {
    const fields = readFields(input.type, input.endpoint, this.urlFault);
    return this.database.transaction(async () => {
      const integration = await this.parties.chatIntegration(caller, input.integrationIdentifier);
      checkProvider(input.type, integration.providerId);
      const contextKeys = await this.parties.contexts(caller, input.context);
      const subscriberId = subscriberOf(caller, input.subscriberId)!;
      const subscriber = await this.parties.subscriber(caller, subscriberId, input.createSubscriberIfMissing);
      const connectionId = await this.connectionOf(caller, input.connectionIdentifier, integration.id, subscriber.id);
      const row = await this.insert(caller, {
        integrationId: integration.id,
        subscriberId: subscriber.id,
        connectionId,
        contextKeys,
        identifier: input.identifier,
        type: input.type,
        fields,
      });
      return this.describe(caller, row);
    });
  }

  async list(caller: ChannelCaller, query: ListChannelEndpointsQuery): Promise<ChannelEndpointListDto> {
    const filter = {
      ...this.parties.filterOf(query),
      connectionIdentifier: query.connectionIdentifier,
      ...(caller.subscriber && {
        subscriberId: caller.subscriber.subscriberId,
        contextKeys: caller.subscriber.contextKeys,
      }),
    };
    const result = await this.endpoints.list(caller.environmentId, filter, query);
    return cursorEnvelope(result, (row) => this.describe(caller, row));
  }

  async retrieve(caller: ChannelCaller, identifier: string): Promise<ChannelEndpointDto> {
    const row = await this.endpoints.find(caller.environmentId, identifier);
    return this.describe(caller, own(caller, row, identifier));
  }

  update(caller: ChannelCaller, identifier: string, input: UpdateChannelEndpointDto): Promise<ChannelEndpointDto> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, identifier);
      const fields = readFields(before.type, input.endpoint, this.urlFault, this.open(before));
      return this.describe(caller, await this.replace(caller, before, fields, before.connectionId));
    });
  }

  delete(caller: ChannelCaller, identifier: string): Promise<void> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, identifier);
      await this.endpoints.delete(caller.environmentId, before.id);
      await this.audit.recordIn(caller.actor, caller, {
        ...resourceOf(before),
        before: recorded(before, this.open(before)),
      });
    });
  }

  /** Stores the endpoint, unless the subscriber has the same one already. Must run inside a transaction. */
  async link(caller: ChannelCaller, named: NamedEndpoint): Promise<EndpointRow> {
    const { environmentId } = caller;
    const { subscriberId, integrationId, contextKeys, type, fields } = named;
    const known = await this.endpoints.listOf(environmentId, subscriberId, integrationId, contextKeys);
    const same = known.find((row) => row.type === type && isSameJson(this.open(row) ?? {}, fields));
    if (!same) return this.insert(caller, named);
    const before = (await this.endpoints.lock(environmentId, same.identifier))!;
    return this.replace(caller, before, fields, named.connectionId ?? before.connectionId);
  }

  private async insert(caller: ChannelCaller, named: NamedEndpoint): Promise<EndpointRow> {
    const { environmentId } = caller;
    const { fields, identifier = `chend-${randomBytes(8).toString('hex')}`, ...rest } = named;
    const id = newId();
    const endpoint = sealEndpoint(this.secrets, { environmentId, id }, fields);
    try {
      const isInserted = await this.database.attempt(() =>
        this.endpoints.insert(environmentId, { ...rest, id, identifier, endpoint }),
      );
      if (!isInserted) {
        throw new DomainError('bad_request', `A subscriber has at most ${LIMITS.channelEndpoints} channel endpoints`);
      }
    } catch (error) {
      if (violatedUniqueConstraint(error) !== ENDPOINT_IDENTIFIER_KEY) throw error;
      throw new DomainError('conflict', `A channel endpoint with the identifier ${identifier} already exists`);
    }
    const row = (await this.endpoints.find(environmentId, identifier))!;
    const after = recorded(row, fields);
    await this.audit.recordIn(caller.actor, caller, { ...resourceOf(row), after });
    return row;
  }

  private async replace(
    caller: ChannelCaller,
    before: EndpointRow,
    fields: EndpointFields,
    connectionId: string | null,
  ): Promise<EndpointRow> {
    const { environmentId } = caller;
    const sealed = sealEndpoint(this.secrets, { environmentId, id: before.id }, fields);
    await this.endpoints.update(environmentId, before.id, sealed, connectionId);
    const after = (await this.endpoints.find(environmentId, before.identifier))!;
    await this.audit.recordIn(caller.actor, caller, {
      ...resourceOf(before),
      before: recorded(before, this.open(before)),
      after: recorded(after, fields),
    });
    return after;
  }

  /** The connection that was named. It belongs to the integration, and to the subscriber or to all of them. */
  private async connectionOf(
    { environmentId, subscriber }: ChannelCaller,
    identifier: string | undefined,
    integrationId: string,
    subscriberId: SubscriberRowId,
  ): Promise<string | undefined> {
    if (identifier === undefined) return undefined;
    const row = await this.connections.find(environmentId, identifier);
    const isUsable = row?.integrationId === integrationId && [null, subscriberId].includes(row.subscriberId);
    if (!isUsable) throw new DomainError('not_found', `Channel connection ${identifier} was not found`);
    // A page may not choose who in the workspace is written to: only the provider can say who its visitor is.
    if (subscriber && row.subscriberId === null) {
      throw new DomainError('forbidden', 'Use channel-endpoints/oauth or link: this connection is shared');
    }
    return row.id;
  }

  private async lock(caller: ChannelCaller, identifier: string): Promise<EndpointRow> {
    return own(caller, await this.endpoints.lock(caller.environmentId, identifier), identifier);
  }

  /** The addresses of a host name are checked at each call. */
  private readonly urlFault: UrlFault = (url) => this.egress.faultOf(url, 'http or https');

  /** Undefined when no key opens the stored fields. */
  private open(row: { id: string; environmentId: string; endpoint: string }): EndpointFields | undefined {
    try {
      return openEndpoint(this.secrets, { id: row.id, environmentId: row.environmentId, sealed: row.endpoint });
    } catch {
      return undefined;
    }
  }

  private describe(caller: ChannelCaller, row: EndpointRow): ChannelEndpointDto {
    const fields = this.open(row) ?? {};
    return {
      ...pick(row, 'identifier', 'channel', 'providerId', 'integrationIdentifier', 'connectionIdentifier'),
      subscriberId: row.externalSubscriberId,
      contextKeys: row.contextKeys,
      type: row.type,
      endpoint: caller.seesSecrets ? fields : maskFields(fields),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

function own({ subscriber }: ChannelCaller, row: EndpointRow | undefined, identifier: string): EndpointRow {
  const isOwn = row && (!subscriber || row.externalSubscriberId === subscriber.subscriberId);
  if (!isOwn) throw new DomainError('not_found', `Channel endpoint ${identifier} was not found`);
  return row;
}

const resourceOf = ({ identifier }: EndpointRow) => ({
  resource: 'channel_endpoint' as const,
  id: identifier,
  isPersonal: true,
});

/** The row as the audit log compares it: the fields under a name whose values it does not store. */
const recorded = (row: EndpointRow, fields: EndpointFields | undefined): object => {
  const { subscriberId, integrationId, connectionId, contextKeys, type } = row;
  return { subscriberId, integrationId, connectionId, contextKeys, type, credentials: fields };
};
