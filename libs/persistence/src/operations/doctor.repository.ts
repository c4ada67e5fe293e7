import { type Channel, CHANNELS, type EnvironmentId, type IntegrationHealth } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Hold, Integration } from '../entities';
import type { EnvironmentIds } from './usage.repository';
import { UNNUMBERED } from '../history/log-entries.sql';

export type UnservedChannel = {
  environmentId: EnvironmentId;
  environment: string;
  channel: Channel;
  workflows: number;
};

/** An active integration that is not well. */
export type StoppedIntegration = {
  environment: string;
  providerId: string;
  identifier: string;
  channel: Channel;
  health: IntegrationHealth;
  /** Active integrations of the channel that can be called. */
  others: number;
  /** A message of the channel is open. */
  hasWork: boolean;
};

export type OldHold = Pick<Hold, 'target' | 'targetId' | 'targetName' | 'heldBy' | 'reason' | 'createdAt'> & {
  environment: string;
};

/** An in-app integration that opens inboxes of production without signatures, unless its credentials have `hmac`. */
export type OpenInbox = Pick<Integration, 'id' | 'environmentId' | 'credentials' | 'configurations'> & {
  environment: string;
};

export type SandboxState = { environment: string; email: string | null; phone: string | null };

export type WebhookState = {
  failing: number;
  disabled: number;
  unnumberedSeconds: number;
  /** The active endpoint with the most entries to get; null if no endpoint has any. */
  furthest: { id: string; environment: string; behind: number } | null;
};

/** Channels that need an account at a provider; the inbox needs none. */
const PROVIDER_CHANNELS = CHANNELS.filter((channel) => channel !== 'in_app');

const LISTED = 100;

/** Facts about the installation that `inspectDatabase` does not have. */
export class DoctorRepository extends Repository {
  /** Channels of active workflows in production environments without an active integration. */
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

  /** Where a hold was forgotten, or an incident is older than it should be. */
  oldHolds(environmentIds: EnvironmentIds): Promise<OldHold[]> {
    return this.database.rows<OldHold>(
      `SELECT e.name AS environment, h.target, h.target_id, h.target_name, h.held_by, h.reason, h.created_at
         FROM hold h JOIN environment e ON e.id = h.environment_id AND e.deleted_at IS NULL
        WHERE h.resumed_at IS NULL AND ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[]))
          AND h.created_at < now() - interval '1 hour' ORDER BY h.created_at LIMIT ${LISTED}`,
      [environmentIds ?? null],
    );
  }

  stoppedIntegrations(environmentIds: EnvironmentIds): Promise<StoppedIntegration[]> {
    return this.database.rows<StoppedIntegration>(
      `SELECT e.name AS environment, i.provider_id, i.identifier, i.channel, i.health,
              (SELECT count(*)::int FROM integration o
                WHERE o.environment_id = i.environment_id AND o.channel = i.channel AND o.active AND NOT o.deleted
                  AND o.provider_id NOT LIKE 'platform%'
                  AND coalesce(o.health ->> 'state', 'closed') = 'closed') AS others,
              EXISTS (SELECT 1 FROM work w WHERE w.environment_id = i.environment_id AND w.type = i.channel
                         AND w.hold_id IS NULL) AS has_work
         FROM integration i JOIN environment e ON e.id = i.environment_id AND e.deleted_at IS NULL
        WHERE i.active AND NOT i.deleted AND i.health ->> 'state' IN ('open', 'paused', 'failing')
          AND ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[]))
        ORDER BY i.health ->> 'since' LIMIT ${LISTED}`,
      [environmentIds ?? null],
    );
  }

  /** Tables with rows of environments that a tenant could read without row-level security. */
  unprotectedTables(): Promise<string[]> {
    return this.database.column<string>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attname = 'environment_id' AND NOT a.attisdropped AND NOT c.relrowsecurity ORDER BY 1`,
    );
  }

  /** Webhook endpoints that fail, were switched off for it or are behind, and the wait of entries for their numbers. */
  async webhooks(environmentIds: EnvironmentIds): Promise<WebhookState> {
    const of = `($1::uuid[] IS NULL OR environment_id = ANY ($1::uuid[]))`;
    return this.database.one<WebhookState>(
      `SELECT count(*) FILTER (WHERE active AND failing_since IS NOT NULL)::int AS failing,
              count(*) FILTER (WHERE disabled_reason IS NOT NULL)::int AS disabled,
              coalesce((SELECT extract(epoch FROM now() - min(created_at)) FROM ${UNNUMBERED} WHERE ${of}), 0)::float8
                AS unnumbered_seconds,
              (SELECT json_build_object('id', w.id, 'environment', e.name, 'behind', l.last_sequence - w.cursor)
                 FROM webhook_endpoint w JOIN event_log l USING (environment_id)
                 JOIN environment e ON e.id = w.environment_id
                WHERE w.active AND l.last_sequence > w.cursor AND ${of}
                ORDER BY l.last_sequence - w.cursor DESC LIMIT 1) AS furthest
         FROM webhook_endpoint WHERE ${of}`,
      [environmentIds ?? null],
    );
  }

  /** The sandboxes, and the address of each that gets its messages. */
  sandboxes(environmentIds: EnvironmentIds): Promise<SandboxState[]> {
    return this.database.rows<SandboxState>(
      `SELECT name AS environment, sandbox_email AS email, sandbox_phone AS phone FROM environment
        WHERE ($1::uuid[] IS NULL OR id = ANY ($1::uuid[])) AND kind = 'sandbox' AND deleted_at IS NULL
        ORDER BY name LIMIT ${LISTED}`,
      [environmentIds ?? null],
    );
  }

  openInboxes(environmentIds: EnvironmentIds): Promise<OpenInbox[]> {
    return this.database.rows<OpenInbox>(
      `SELECT e.name AS environment, i.id, i.environment_id, i.credentials, i.configurations
         FROM environment e JOIN integration i ON i.environment_id = e.id
        WHERE ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[])) AND e.kind = 'production'
          AND e.inbox_signatures = 'optional' AND e.deleted_at IS NULL
          AND i.channel = 'in_app' AND i.active AND NOT i.deleted
        ORDER BY e.name LIMIT ${LISTED}`,
      [environmentIds ?? null],
    );
  }

  /** Triggers with marked payload fields for which no process has looked whether they can be redacted. */
  overdueRedactions(): Promise<number> {
    return this.database.value<number>(
      `SELECT count(*)::int AS count FROM redaction WHERE due_at < now() - interval '5 minutes'`,
    );
  }

  /** Claims whose process is gone for longer than an engine needs to end them. */
  staleClaims(): Promise<number> {
    return this.database.value<number>(
      `SELECT count(*)::int AS count FROM claim WHERE lease_until < now() - interval '1 minute'`,
    );
  }
}
