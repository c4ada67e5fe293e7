import type { ChannelListQuery } from '@clarion/contracts';
import { type ConnectionMode, type EnvironmentId, type SubscriberRowId, type Workspace } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { ChannelConnection, Integration } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { hasContexts } from '../sql/pages';

export const CONNECTION_IDENTIFIER_KEY = 'channel_connection_identifier_key';

/** A connection with the fields of its integration and its owner that responses show. */
export type ChannelConnectionRow = ChannelConnection &
  Pick<Integration, 'providerId' | 'channel'> & { integrationIdentifier: string; externalSubscriberId: string | null };

export type NewChannelConnection = Pick<
  ChannelConnection,
  'id' | 'identifier' | 'integrationId' | 'contextKeys' | 'workspace' | 'auth'
> & { subscriberId?: SubscriberRowId };

export type ChannelListFilter = Pick<
  ChannelListQuery,
  'subscriberId' | 'channel' | 'providerId' | 'integrationIdentifier' | 'contextKeys'
>;

export type ChannelConnectionFilter = ChannelListFilter & { mode?: ConnectionMode };

const COLUMNS = `t.*, i.identifier AS integration_identifier, i.provider_id, i.channel,
  s.subscriber_id AS external_subscriber_id`;

const JOINED = `channel_connection t JOIN integration i ON i.id = t.integration_id
  LEFT JOIN subscriber s ON s.id = t.subscriber_id`;

/** How long a process may take to get the next token. */
const REFRESH_SECONDS = 20;

export class ChannelConnectionRepository extends Repository {
  /** Fails with `CONNECTION_IDENTIFIER_KEY` when the identifier is taken. */
  async insert(environmentId: EnvironmentId, connection: NewChannelConnection): Promise<void> {
    await this.database.query(
      `INSERT INTO channel_connection (id, environment_id, identifier, integration_id, subscriber_id, context_keys,
          workspace, auth)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        connection.id,
        environmentId,
        connection.identifier,
        connection.integrationId,
        connection.subscriberId ?? null,
        connection.contextKeys,
        JSON.stringify(connection.workspace),
        connection.auth,
      ],
    );
  }

  find(environmentId: EnvironmentId, identifier: string): Promise<ChannelConnectionRow | undefined> {
    return this.database.row<ChannelConnectionRow>(
      `SELECT ${COLUMNS} FROM ${JOINED} WHERE t.environment_id = $1 AND t.identifier = $2`,
      [environmentId, identifier],
    );
  }

  /** The same, locked until the open transaction ends. */
  async lock(environmentId: EnvironmentId, identifier: string): Promise<ChannelConnectionRow | undefined> {
    await this.database.query(
      `SELECT 1 FROM channel_connection WHERE environment_id = $1 AND identifier = $2 FOR UPDATE`,
      [environmentId, identifier],
    );
    return this.find(environmentId, identifier);
  }

  /** The newest connection of an integration to a workspace: of this owner and these contexts, or, without, of any. */
  findWorkspace(
    environmentId: EnvironmentId,
    integrationId: string,
    workspaceId: string,
    of?: { subscriberId?: SubscriberRowId; contextKeys: string[] },
  ): Promise<ChannelConnection | undefined> {
    return this.database.row<ChannelConnection>(
      `SELECT * FROM channel_connection t
        WHERE t.environment_id = $1 AND t.integration_id = $2 AND t.workspace ->> 'id' = $3
          AND ($4::text[] IS NULL OR (t.context_keys = $4 AND t.subscriber_id IS NOT DISTINCT FROM $5::uuid))
        ORDER BY t.id DESC LIMIT 1`,
      [environmentId, integrationId, workspaceId, of?.contextKeys ?? null, of?.subscriberId ?? null],
    );
  }

  async update(environmentId: EnvironmentId, id: string, workspace: Workspace, auth: string): Promise<void> {
    await this.database.query(
      `UPDATE channel_connection SET workspace = $3, auth = $4, refreshing_until = NULL, updated_at = now()
        WHERE environment_id = $1 AND id = $2`,
      [environmentId, id, JSON.stringify(workspace), auth],
    );
  }

  /** Deletes the connection with its endpoints. */
  async delete(environmentId: EnvironmentId, id: string): Promise<void> {
    await this.database.query(`DELETE FROM channel_connection WHERE environment_id = $1 AND id = $2`, [
      environmentId,
      id,
    ]);
  }

  list(
    environmentId: EnvironmentId,
    { mode, ...filter }: ChannelConnectionFilter,
    page: CursorPage,
  ): Promise<CursorResult<ChannelConnectionRow>> {
    const { where, parameters } = channelListWhere(environmentId, filter);
    if (mode !== undefined) where.push(`t.subscriber_id IS ${mode === 'shared' ? '' : 'NOT '}NULL`);
    return readKeyset(
      this.database,
      { name: 'channel-connections', select: COLUMNS, from: JOINED, where, parameters },
      page,
    );
  }

  /** One process gets true until it has stored the token or its time is over; false when `seen` is outdated. */
  beginRefresh(environmentId: EnvironmentId, id: string, seen: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE channel_connection SET refreshing_until = now() + interval '${REFRESH_SECONDS} seconds'
        WHERE environment_id = $1 AND id = $2 AND auth = $3
          AND (refreshing_until IS NULL OR refreshing_until < now())`,
      [environmentId, id, seen],
    );
  }

  /** Stores the next token, unless the one before it was replaced meanwhile. */
  async endRefresh(environmentId: EnvironmentId, id: string, seen: string, auth: string): Promise<void> {
    await this.database.query(
      `UPDATE channel_connection SET refreshing_until = NULL, auth = $4, updated_at = now()
        WHERE environment_id = $1 AND id = $2 AND auth = $3`,
      [environmentId, id, seen, auth],
    );
  }

  /** The stored token, and whether a process is getting the next one. Undefined when the connection is gone. */
  readAuth(environmentId: EnvironmentId, id: string): Promise<{ auth: string; isRefreshing: boolean } | undefined> {
    return this.database.row<{ auth: string; isRefreshing: boolean }>(
      `SELECT auth, coalesce(refreshing_until > now(), false) AS is_refreshing
         FROM channel_connection WHERE environment_id = $1 AND id = $2`,
      [environmentId, id],
    );
  }
}

/** The conditions of both lists; `t` is the connection or endpoint, `i` its integration, `s` its subscriber. */
export function channelListWhere(
  environmentId: EnvironmentId,
  { subscriberId, channel, providerId, integrationIdentifier, contextKeys }: ChannelListFilter,
): { where: string[]; parameters: unknown[] } {
  const parameters: unknown[] = [environmentId];
  const where = ['t.environment_id = $1'];
  const add = (column: string, value: string | undefined): void => {
    if (value !== undefined) where.push(`${column} = $${parameters.push(value)}`);
  };
  add('s.subscriber_id', subscriberId);
  add('i.channel', channel);
  add('i.provider_id', providerId);
  add('i.identifier', integrationIdentifier);
  if (contextKeys) where.push(hasContexts(contextKeys, parameters));
  return { where, parameters };
}
