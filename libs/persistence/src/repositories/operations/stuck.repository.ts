import {
  CHANNELS,
  type EnvironmentId,
  type IntegrationHealth,
  type NotificationId,
  type StepType,
  type StuckReason,
} from '@clarion/contracts/core';
import type { Database } from '../../database';
import type { Hold } from '../../entities';
import { OFFER_AGAIN_MS } from '../../leases';
import { walk } from '../open-work';
import { type EnvironmentIds, WANTED } from './usage.repository';

/** An open trigger or step. `type` is `trigger` or the type of the step. */
export type StuckRow = {
  reason: StuckReason;
  environmentId: EnvironmentId;
  environment: string;
  type: StepType;
  id: string;
  notificationId: NotificationId | null;
  triggerId: string;
  transactionId: string | null;
  workflowId: string | null;
  subscriberId: string | null;
  since: Date;
  dueAt: Date;
  isDelayed: boolean;
  attempt: number;
  crashCount: number;
  /** Of the last attempt. */
  error: string | null;
  providerId: string | null;
  leaseUntil: Date | null;
  hold: (Pick<Hold, 'id' | 'target' | 'targetId' | 'heldBy' | 'reason'> & { name: string; isResumed: boolean }) | null;
  health: (IntegrationHealth & { providerId: string }) | null;
};

export type Stuck = {
  rows: StuckRow[];
  /** How many rows wait for each reason. Beyond a cap they are not counted. */
  counts: { reason: StuckReason; count: number }[];
};

/** Open rows that are looked at: those of each environment and type that are due first, and those of each hold. */
const LOOKED_AT = 100_000;
const OF_ONE_HOLD = 10_000;

const SINCE_DUE = 'coalesce(w.waiting_since, w.due_at)';
const QUOTED_CHANNELS = CHANNELS.map((channel) => `'${channel}'`).join();

/**
 * The integration that a step waits for: the one that was tried last, or any of its channel if none can be called. A
 * channel of which one integration works is not paused.
 */
const PAUSED = `
  SELECT jsonb_agg(i.health || jsonb_build_object('providerId', i.provider_id) ORDER BY i.id) -> 0 AS health,
         count(*) AS active, count(*) FILTER (WHERE i.health ->> 'state' IN ('open', 'paused')) AS paused
    FROM integration i
   WHERE i.environment_id = w.environment_id AND i.channel = w.type AND i.active AND NOT i.deleted`;

/** `$1` are the environments or NULL, `$2` the age in seconds, `$3` the number of rows. */
const READ_STUCK = `
WITH RECURSIVE ${WANTED}, lanes AS (${walk(['environment_id', 'type'], 'work', 'true')}
), candidates AS MATERIALIZED (
  SELECT w.* FROM (
      SELECT l.*, greatest(${LOOKED_AT} / count(*) OVER (), 100) AS cap
        FROM lanes l JOIN wanted e ON e.id = l.environment_id) l
   CROSS JOIN LATERAL (
     SELECT w.* FROM work w
      WHERE w.environment_id = l.environment_id AND w.type = l.type AND w.hold_id IS NULL
      ORDER BY w.due_at LIMIT l.cap) w
  UNION ALL
  SELECT w.* FROM hold h JOIN wanted e ON e.id = h.environment_id
   CROSS JOIN LATERAL (SELECT w.* FROM work w WHERE w.hold_id = h.id ORDER BY w.due_at LIMIT ${OF_ONE_HOLD}) w
), leases AS MATERIALIZED (
  SELECT w.id, max(c.lease_until) AS lease_until
    FROM claim c CROSS JOIN LATERAL unnest(c.work_ids, c.fences) AS h (id, fence)
    JOIN candidates w ON w.id = h.id AND (w.fence = h.fence OR w.claim_id = c.id)
   GROUP BY 1
), channels AS MATERIALIZED (
  SELECT w.environment_id, w.type, p.* FROM (SELECT DISTINCT environment_id, type FROM candidates) w
   CROSS JOIN LATERAL (${PAUSED}) p WHERE w.type IN (${QUOTED_CHANNELS})
), judged AS MATERIALIZED (
  SELECT w.*, l.lease_until, CASE WHEN p.paused = p.active THEN p.health END AS health,
         CASE WHEN w.hold_id IS NOT NULL THEN 'held'
              WHEN l.lease_until > now() THEN 'running'
              WHEN l.lease_until <= now() THEN 'lease_ended'
              WHEN w.sending_since IS NOT NULL THEN 'in_doubt'
              WHEN w.crash_count > 0 THEN 'crashed'
              WHEN w.is_delayed AND w.due_at > now() THEN NULL
              WHEN p.active = 0 AND w.type <> 'in_app' THEN 'no_integration'
              WHEN p.paused = p.active AND p.active > 0 THEN 'provider_paused'
              WHEN w.due_at > now() AND (w.attempt > 0 OR w.progress ? 'error') THEN 'retry'
              WHEN ${SINCE_DUE} > now() THEN NULL
              WHEN w.offered_at > now() - interval '${OFFER_AGAIN_MS} milliseconds' THEN 'unclaimed'
              ELSE 'not_offered' END AS reason
    FROM candidates w LEFT JOIN leases l ON l.id = w.id
    LEFT JOIN channels p ON p.environment_id = w.environment_id AND p.type = w.type
), aged AS (
  SELECT w.*, CASE w.reason WHEN 'held' THEN w.updated_at WHEN 'running' THEN w.updated_at
                            WHEN 'lease_ended' THEN w.lease_until WHEN 'in_doubt' THEN w.sending_since
                            WHEN 'crashed' THEN w.updated_at
                            ELSE least(${SINCE_DUE}, coalesce(w.queued_at, w.updated_at)) END AS since
    FROM judged w WHERE w.reason IS NOT NULL
), old AS MATERIALIZED (
  SELECT * FROM aged WHERE since <= now() - $2 * interval '1 second'
), shown AS (
  SELECT * FROM old ORDER BY since, id LIMIT $3
)
SELECT s.reason, s.environment_id, e.name AS environment, s.type, s.id, s.notification_id, s.trigger_id,
       t.transaction_id, f.workflow_id, p.subscriber_id, s.since, s.due_at, s.is_delayed, s.attempt, s.crash_count,
       s.progress -> 'error' ->> 'message' AS error, s.progress ->> 'providerId' AS provider_id, s.lease_until,
       s.health, CASE WHEN h.id IS NOT NULL THEN jsonb_build_object('id', h.id, 'target', h.target, 'targetId',
         h.target_id, 'name', h.target_name, 'heldBy', h.held_by, 'reason', h.reason,
         'isResumed', h.resumed_at IS NOT NULL) END AS hold,
       (SELECT json_agg(c) FROM (SELECT reason, count(*)::int FROM old GROUP BY 1 ORDER BY 2 DESC) c) AS counts
  FROM shown s JOIN wanted e ON e.id = s.environment_id
  LEFT JOIN LATERAL (SELECT * FROM trigger WHERE id = s.trigger_id LIMIT 1) t ON true
  LEFT JOIN workflow f ON f.environment_id = s.environment_id AND f.id = coalesce(s.workflow_id, t.workflow_id)
  LEFT JOIN subscriber p ON p.environment_id = s.environment_id AND p.id = s.subscriber_id
  LEFT JOIN hold h ON h.id = s.hold_id
 ORDER BY s.since, s.id`;

/** Open work that waits longer than expected. */
export class StuckRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first, in one statement. */
  async read(environmentIds: EnvironmentIds, olderThanSeconds: number, limit: number): Promise<Stuck> {
    const found = await this.database.rows<StuckRow & Pick<Stuck, 'counts'>>(READ_STUCK, [
      environmentIds ?? null,
      olderThanSeconds,
      limit,
    ]);
    return { rows: found.map(({ counts: _, ...row }) => row), counts: found[0]?.counts ?? [] };
  }

  /** How many connections of this database each role of Clarion has. A process without one does no work. */
  async connectedRoles(): Promise<{ role: string; connections: number }[]> {
    return this.database.rows(
      `SELECT substr(application_name, 9) AS role, count(*)::int AS connections FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'clarion-%' GROUP BY 1 ORDER BY 1`,
    );
  }
}
