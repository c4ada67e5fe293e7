import {
  type Channel,
  DEMO_PROVIDERS,
  type Dialect,
  type EnvironmentId,
  type EnvironmentKind,
  type IntegrationHealth,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Environment, Integration } from '../entities';
import { recordsEvents } from '../history/event-log.sql';
import { HOLD_OF_INTEGRATION } from '../operations/hold.sql';
import { leadingRows, readLeading } from '../sql/page-bytes';
import { MAY_SEND, SHOWS_INBOX } from './integration.sql';

export type NewIntegration = Pick<
  Integration,
  | 'id'
  | 'environmentId'
  | 'name'
  | 'identifier'
  | 'providerId'
  | 'channel'
  | 'credentials'
  | 'configurations'
  | 'conditions'
  | 'active'
>;

const CHANGEABLE = ['name', 'identifier', 'credentials', 'configurations', 'conditions', 'active'] as const;

/** Absent fields keep their values. */
export type IntegrationChange = Partial<Pick<Integration, (typeof CHANGEABLE)[number]>>;

/** Unique indexes of the table; a violation of each has a separate error. */
export const INTEGRATION_RULES = {
  identifier: 'integration_identifier_key',
  oneInApp: 'integration_in_app_key',
  oneDemo: 'integration_demo_key',
} as const;

/** Stored states of an account. */
const HEALTH_HISTORY = 20;

const eventOf = (health: string): string => `
  CASE ${health} ->> 'state' WHEN 'open' THEN 'integration.unavailable' WHEN 'failing' THEN 'integration.failing'
                             ELSE 'integration.available' END`;

/** Logs that the integration $2 of the environment $1 gets another health, if that is another event. */
const logHealth = (health: string): string => `
  changed AS (
    SELECT provider_id, channel, ${eventOf(health)} AS type FROM integration
     WHERE environment_id = $1 AND id = $2 AND NOT deleted AND ${eventOf('health')} <> ${eventOf(health)}
  ), logged AS (
    INSERT INTO new_log_entry (environment_id, type, channel, provider_id, data)
    SELECT $1, type, channel, provider_id, jsonb_strip_nulls(jsonb_build_object('integrationId', $2::uuid,
             'reason', CASE WHEN type <> 'integration.available' THEN ${health} ->> 'reason' END))
      FROM changed WHERE ${recordsEvents('$1')}
  )`;

/** With the setting of its environment; null means the default of the installation. */
export type ActiveIntegration = Integration & {
  dialect: Dialect | null;
  holdId: string | null;
};

export type SendingSettings = Pick<
  Environment,
  'kind' | 'sandboxEmail' | 'sandboxPhone' | 'withoutIntegration' | 'trackOpens' | 'trackClicks' | 'oneClickUnsubscribe'
>;

const NO_SETTINGS: SendingSettings = {
  kind: 'production',
  sandboxEmail: null,
  sandboxPhone: null,
  withoutIntegration: 'fail',
  trackOpens: false,
  trackClicks: false,
  oneClickUnsubscribe: false,
};

export type ActiveChannel = { channel: Channel; hasPrimary: boolean };

export class IntegrationRepository extends Repository {
  /**
   * Locks the integrations of one environment for writers: their order within a channel depends on all of them, also on
   * those that a concurrent transaction is adding. Readers, and rows that refer to the environment, do not wait. Must
   * run inside a transaction. Returns the kind of the environment.
   */
  lock(environmentId: EnvironmentId): Promise<EnvironmentKind> {
    return this.database.value<EnvironmentKind>(`SELECT kind FROM environment WHERE id = $1 FOR NO KEY UPDATE`, [
      environmentId,
    ]);
  }

  list(environmentId: EnvironmentId): Promise<Integration[]> {
    return this.database.rows<Integration>(
      `SELECT * FROM integration WHERE environment_id = $1 AND NOT deleted ORDER BY id`,
      [environmentId],
    );
  }

  /** Those that send. */
  listActive(environmentId: EnvironmentId): Promise<ActiveIntegration[]> {
    return this.database.rows<ActiveIntegration>(
      `SELECT i.*, e.dialect, ${HOLD_OF_INTEGRATION} AS hold_id
         FROM integration i JOIN environment e ON e.id = i.environment_id
        WHERE i.environment_id = $1 AND ${MAY_SEND} ORDER BY i.id`,
      [environmentId],
    );
  }

  /** The channels that an integration can send on, and whether one of these integrations is primary. */
  activeChannels(environmentId: EnvironmentId): Promise<ActiveChannel[]> {
    return this.database.rows<ActiveChannel>(
      `SELECT i.channel, bool_or(i."primary") AS has_primary
         FROM integration i JOIN environment e ON e.id = i.environment_id
        WHERE i.environment_id = $1 AND ${MAY_SEND} GROUP BY i.channel`,
      [environmentId],
    );
  }

  /** The one that shows the inbox. */
  findInApp(environmentId: EnvironmentId): Promise<Integration | undefined> {
    return this.database.row<Integration>(
      `SELECT i.* FROM integration i WHERE i.environment_id = $1 AND ${SHOWS_INBOX}`,
      [environmentId],
    );
  }

  async sendingSettings(environmentId: EnvironmentId): Promise<SendingSettings> {
    const [row] = await this.database.rows<SendingSettings>(
      `SELECT kind, sandbox_email, sandbox_phone, without_integration, track_opens, track_clicks,
              one_click_unsubscribe
         FROM environment WHERE id = $1`,
      [environmentId],
    );
    return row ?? NO_SETTINGS;
  }

  /** The newest ones, as many as fit on a page: the list of deleted integrations grows without limit. */
  async listDeleted(environmentId: EnvironmentId, limit: number): Promise<Integration[]> {
    const newest = `SELECT * FROM integration WHERE environment_id = $1 AND deleted
                     ORDER BY deleted_at DESC, id DESC LIMIT $2`;
    return readLeading<Integration>(await this.database.rows(leadingRows(newest), [environmentId, limit])).rows;
  }

  /** Of several environments, for callers without a key. */
  findCalled(called: { environmentId: string; id: string }[]): Promise<Integration[]> {
    return this.database.rows<Integration>(
      `SELECT i.* FROM unnest($1::uuid[], $2::uuid[]) AS called (environment_id, id)
         JOIN integration i ON i.environment_id = called.environment_id AND i.id = called.id AND NOT i.deleted`,
      [called.map(({ environmentId }) => environmentId), called.map(({ id }) => id)],
    );
  }

  find(environmentId: EnvironmentId, id: string, alsoDeleted = false): Promise<Integration | undefined> {
    return this.database.row<Integration>(
      `SELECT * FROM integration WHERE environment_id = $1 AND id = $2 AND (NOT deleted OR $3)`,
      [environmentId, id, alsoDeleted],
    );
  }

  findByIdentifier(environmentId: EnvironmentId, identifier: string): Promise<Integration | undefined> {
    return this.database.row<Integration>(
      `SELECT * FROM integration WHERE environment_id = $1 AND identifier = $2 AND NOT deleted`,
      [environmentId, identifier],
    );
  }

  /** How many there are, and the bytes of what their authors wrote. */
  size(environmentId: EnvironmentId): Promise<{ count: number; bytes: number }> {
    return this.database.one<{ count: number; bytes: number }>(
      `SELECT count(*)::int AS count,
              coalesce(sum(octet_length(credentials::text || configurations::text || conditions::text)), 0)::int
                AS bytes
         FROM integration WHERE environment_id = $1 AND NOT deleted`,
      [environmentId],
    );
  }

  async insert(integration: NewIntegration): Promise<void> {
    await this.database.query(
      `INSERT INTO integration
         (id, environment_id, name, identifier, provider_id, channel, credentials, configurations, conditions, active)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        integration.id,
        integration.environmentId,
        integration.name,
        integration.identifier,
        integration.providerId,
        integration.channel,
        JSON.stringify(integration.credentials),
        JSON.stringify(integration.configurations),
        JSON.stringify(integration.conditions),
        integration.active,
      ],
    );
  }

  async update(environmentId: EnvironmentId, id: string, change: IntegrationChange): Promise<void> {
    const parameters: unknown[] = [environmentId, id];
    const assignments = CHANGEABLE.filter((field) => change[field] !== undefined).map((field) => {
      const value = change[field];
      return `${field} = $${parameters.push(typeof value === 'object' ? JSON.stringify(value) : value)}`;
    });
    // What was found with the old credentials says nothing about the new ones: messages that wait are sent.
    if (change.credentials !== undefined) assignments.push('health = NULL');
    const log = change.credentials === undefined ? '' : `WITH ${logHealth('NULL::jsonb')}`;
    // What workers reserved under the old limit: messages that wait for it are tried at once.
    if (change.configurations !== undefined) {
      await this.database.query(
        `DELETE FROM send_rate s USING integration i
          WHERE i.environment_id = $1 AND i.id = $2 AND s.integration_id = i.id`,
        [environmentId, id],
      );
    }
    await this.database.query(
      `${log} UPDATE integration SET ${[...assignments, 'updated_at = now()'].join(', ')}
        WHERE environment_id = $1 AND id = $2 AND NOT deleted`,
      parameters,
    );
  }

  /** What a worker observed; the others see it with their next step. */
  async setHealth(environmentId: EnvironmentId, id: string, health: IntegrationHealth | null): Promise<void> {
    await this.database.query(
      `WITH ${logHealth('$3::jsonb')}
       UPDATE integration SET health = $3::jsonb, updated_at = now(),
              health_history = (SELECT jsonb_agg(entry.state ORDER BY entry.place)
                                  FROM jsonb_array_elements(jsonb_build_array($4::jsonb) || health_history)
                                    WITH ORDINALITY AS entry (state, place) WHERE entry.place <= ${HEALTH_HISTORY})
        WHERE environment_id = $1 AND id = $2 AND NOT deleted`,
      [
        environmentId,
        id,
        health && JSON.stringify(health),
        JSON.stringify(health ?? { state: 'closed', since: new Date().toISOString() }),
      ],
    );
  }

  /** Keeps the row for the history and removes secrets and connections. Must run inside a transaction. */
  async delete(environmentId: EnvironmentId, id: string, deletedBy: string): Promise<void> {
    for (const table of ['setup_link', 'channel_endpoint', 'channel_connection']) {
      await this.database.query(`DELETE FROM ${table} WHERE environment_id = $1 AND integration_id = $2`, [
        environmentId,
        id,
      ]);
    }
    await this.database.query(
      `UPDATE integration
          SET deleted = true, deleted_at = now(), deleted_by = $3, active = false, "primary" = false, priority = 0,
              credentials = '{}', configurations = '{}', updated_at = now()
        WHERE environment_id = $1 AND id = $2 AND NOT deleted`,
      [environmentId, id, deletedBy],
    );
  }

  countSubscribers(environmentId: EnvironmentId, id: string, cap: number): Promise<number> {
    return this.database.value<number>(
      `SELECT count(*)::int AS count FROM (
         SELECT subscriber_id FROM subscriber_channel WHERE environment_id = $1 AND integration_id = $2
          UNION
         SELECT subscriber_id FROM channel_endpoint WHERE environment_id = $1 AND integration_id = $2
          LIMIT $3) counted`,
      [environmentId, id, cap],
    );
  }

  /** Puts the active integrations of a channel into this order, best first. Must run under `lock`. */
  async setOrder(environmentId: EnvironmentId, ids: string[]): Promise<void> {
    await this.database.query(
      `UPDATE integration i SET priority = cardinality($2::uuid[]) + 1 - wanted.place, updated_at = now()
         FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
        WHERE i.environment_id = $1 AND i.id = wanted.id AND NOT i.deleted`,
      [environmentId, ids],
    );
  }

  /**
   * Updates primary and priority of one channel after any change to it. The primary is active and has no conditions:
   * `wanted` if given, otherwise the current primary, otherwise the first in order. It comes first, then newly
   * activated integrations (their priority is still 0), then the others in their order. Inactive integrations and demo
   * providers have priority 0 and no place in the order. Must run under `lock`.
   */
  async reorder(environmentId: EnvironmentId, channel: Channel, wanted?: string): Promise<void> {
    // A separate statement, and first: the unique index would see two primaries in the middle of a single statement.
    await this.database.query(
      `UPDATE integration SET "primary" = false, updated_at = now()
        WHERE environment_id = $1 AND channel = $2 AND "primary" AND NOT deleted
          AND (NOT active OR conditions <> '[]' OR id <> coalesce($3::uuid, id))`,
      [environmentId, channel, wanted ?? null],
    );
    await this.database.query(
      `WITH ranked AS (
         SELECT *, active AND provider_id <> ALL ($4) AS counts FROM integration
          WHERE environment_id = $1 AND channel = $2 AND NOT deleted
       ), first AS (
         SELECT id FROM ranked WHERE counts AND conditions = '[]'
          ORDER BY id = coalesce($3::uuid, id) DESC, "primary" DESC, priority DESC, id
          LIMIT 1
       ), placed AS (
         SELECT i.id, i.id IS NOT DISTINCT FROM first.id AS "primary",
                CASE WHEN i.counts
                     THEN row_number() OVER (PARTITION BY i.counts
                                             ORDER BY i.id IS NOT DISTINCT FROM first.id, i.priority = 0, i.priority,
                                               i.id DESC)
                     ELSE 0 END AS priority
           FROM ranked i LEFT JOIN first ON true
       )
       UPDATE integration i SET "primary" = placed."primary", priority = placed.priority, updated_at = now()
         FROM placed
        WHERE i.id = placed.id AND (i."primary", i.priority) IS DISTINCT FROM (placed."primary", placed.priority)`,
      [environmentId, channel, wanted ?? null, DEMO_PROVIDERS],
    );
  }
}
