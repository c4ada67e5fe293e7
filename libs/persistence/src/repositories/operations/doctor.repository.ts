import { type Channel, CHANNELS, type EnvironmentId } from '@clarion/contracts/core';
import type { Database } from '../../database';
import type { EnvironmentIds } from './usage.repository';

export type UnservedChannel = {
  environmentId: EnvironmentId;
  environment: string;
  channel: Channel;
  workflows: number;
};

export type WebhookState = { failing: number; disabled: number; unnumberedSeconds: number };

/** Channels that need an account at a provider; the inbox needs none. */
const PROVIDER_CHANNELS = CHANNELS.filter((channel) => channel !== 'in_app');

const LISTED = 100;

/** Facts about the installation that `inspectDatabase` does not have. */
export class DoctorRepository {
  constructor(private readonly database: Database) {}

  /**
   * Channels that active workflows of production environments use, without an active integration of a provider. The
   * built-in providers send in other environments only.
   */
  unservedChannels(environmentIds: EnvironmentIds): Promise<UnservedChannel[]> {
    return this.database.rows<UnservedChannel>(
      `SELECT e.id AS environment_id, e.name AS environment, s.step ->> 'type' AS channel,
              count(DISTINCT w.id)::int AS workflows
         FROM environment e JOIN workflow w ON w.environment_id = e.id AND w.active AND w.deleted_at IS NULL
         JOIN workflow_version v ON v.workflow_id = w.id AND v.version = w.current_version
        CROSS JOIN LATERAL jsonb_array_elements(v.steps) AS s (step)
        WHERE ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[])) AND to_jsonb(e) ->> 'kind' = 'production'
          AND to_jsonb(e) ->> 'deleted_at' IS NULL
          AND (s.step ->> 'active')::boolean AND s.step ->> 'type' = ANY ($2::text[])
          AND NOT EXISTS (SELECT 1 FROM integration i
                           WHERE i.environment_id = e.id AND i.channel = s.step ->> 'type' AND i.active
                             AND NOT i.deleted AND i.provider_id NOT LIKE 'platform%')
        GROUP BY 1, 2, 3 ORDER BY 2, 3 LIMIT ${LISTED}`,
      [environmentIds ?? null, PROVIDER_CHANNELS],
    );
  }

  /** Tables with rows of environments that a tenant could read without row-level security. */
  async unprotectedTables(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attname = 'environment_id' AND NOT a.attisdropped AND NOT c.relrowsecurity ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  /** Webhook endpoints that fail or were switched off for it, and how long an entry has waited for its number. */
  async webhooks(environmentIds: EnvironmentIds): Promise<WebhookState> {
    const of = `($1::uuid[] IS NULL OR environment_id = ANY ($1::uuid[]))`;
    const [row] = await this.database.rows<WebhookState>(
      `SELECT count(*) FILTER (WHERE active AND failing_since IS NOT NULL)::int AS failing,
              count(*) FILTER (WHERE disabled_reason IS NOT NULL)::int AS disabled,
              coalesce((SELECT extract(epoch FROM now() - min(created_at)) FROM new_log_entry WHERE ${of}), 0)::float8
                AS unnumbered_seconds
         FROM webhook_endpoint WHERE ${of}`,
      [environmentIds ?? null],
    );
    return row!;
  }

  /** Claims whose process is gone for longer than an engine needs to end them. */
  async staleClaims(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM claim WHERE lease_until < now() - interval '1 minute'`,
    );
    return row!.count;
  }
}
