import { type EnvironmentId, LIMITS, type SubscriberRowId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { ChannelEndpoint, Integration } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { type ChannelListFilter, channelListWhere } from './channel-connection.repository';

export const ENDPOINT_IDENTIFIER_KEY = 'channel_endpoint_identifier_key';

/** An endpoint with the fields of its integration, connection and subscriber that responses show. */
export type EndpointRow = ChannelEndpoint &
  Pick<Integration, 'providerId' | 'channel'> & {
    integrationIdentifier: string;
    connectionIdentifier: string | null;
    externalSubscriberId: string;
  };

export type NewEndpoint = Pick<
  ChannelEndpoint,
  'id' | 'identifier' | 'integrationId' | 'subscriberId' | 'contextKeys' | 'type' | 'endpoint'
> & { connectionId?: string };

export type EndpointFilter = ChannelListFilter & { connectionIdentifier?: string };

const COLUMNS = `t.*, i.identifier AS integration_identifier, i.provider_id, i.channel,
  s.subscriber_id AS external_subscriber_id, k.identifier AS connection_identifier`;

const JOINED = `channel_endpoint t JOIN integration i ON i.id = t.integration_id
  JOIN subscriber s ON s.id = t.subscriber_id LEFT JOIN channel_connection k ON k.id = t.connection_id`;

export class ChannelEndpointRepository extends Repository {
  /** False at the limit. Fails with `ENDPOINT_IDENTIFIER_KEY` when taken. Must run inside a transaction. */
  async insert(environmentId: EnvironmentId, endpoint: NewEndpoint): Promise<boolean> {
    // The lock lets two inserts count one after the other.
    await this.database.query(`SELECT 1 FROM subscriber WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
      environmentId,
      endpoint.subscriberId,
    ]);
    return this.database.matches(
      `INSERT INTO channel_endpoint (id, environment_id, identifier, integration_id, subscriber_id, connection_id,
          context_keys, type, endpoint)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
        WHERE (SELECT count(*) FROM channel_endpoint WHERE subscriber_id = $5) < ${LIMITS.channelEndpoints}`,
      [
        endpoint.id,
        environmentId,
        endpoint.identifier,
        endpoint.integrationId,
        endpoint.subscriberId,
        endpoint.connectionId ?? null,
        endpoint.contextKeys,
        endpoint.type,
        endpoint.endpoint,
      ],
    );
  }

  find(environmentId: EnvironmentId, identifier: string): Promise<EndpointRow | undefined> {
    return this.database.row<EndpointRow>(
      `SELECT ${COLUMNS} FROM ${JOINED} WHERE t.environment_id = $1 AND t.identifier = $2`,
      [environmentId, identifier],
    );
  }

  /** The same, locked until the open transaction ends. */
  async lock(environmentId: EnvironmentId, identifier: string): Promise<EndpointRow | undefined> {
    await this.database.query(
      `SELECT 1 FROM channel_endpoint WHERE environment_id = $1 AND identifier = $2 FOR UPDATE`,
      [environmentId, identifier],
    );
    return this.find(environmentId, identifier);
  }

  listOf(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    integrationId: string,
    contextKeys: string[],
  ): Promise<ChannelEndpoint[]> {
    return this.database.rows<ChannelEndpoint>(
      `SELECT * FROM channel_endpoint
        WHERE environment_id = $1 AND subscriber_id = $2 AND integration_id = $3 AND context_keys = $4 ORDER BY id`,
      [environmentId, subscriberId, integrationId, contextKeys],
    );
  }

  async update(environmentId: EnvironmentId, id: string, endpoint: string, connectionId: string | null): Promise<void> {
    await this.database.query(
      `UPDATE channel_endpoint SET endpoint = $3, connection_id = $4, updated_at = now()
        WHERE environment_id = $1 AND id = $2`,
      [environmentId, id, endpoint, connectionId],
    );
  }

  async delete(environmentId: EnvironmentId, id: string): Promise<void> {
    await this.database.query(`DELETE FROM channel_endpoint WHERE environment_id = $1 AND id = $2`, [
      environmentId,
      id,
    ]);
  }

  list(
    environmentId: EnvironmentId,
    { connectionIdentifier, ...filter }: EndpointFilter,
    page: CursorPage,
  ): Promise<CursorResult<EndpointRow>> {
    const { where, parameters } = channelListWhere(environmentId, filter);
    if (connectionIdentifier !== undefined) where.push(`k.identifier = $${parameters.push(connectionIdentifier)}`);
    return readKeyset(
      this.database,
      { name: 'channel-endpoints', select: COLUMNS, from: JOINED, where, parameters },
      page,
    );
  }
}
