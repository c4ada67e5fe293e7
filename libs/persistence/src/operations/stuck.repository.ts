import type { RetriedErrorsDto } from '@clarion/contracts';
import {
  type EnvironmentId,
  type IntegrationHealth,
  type LimitWait,
  LIMITS,
  type NotificationId,
  type StepType,
  type StuckReason,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Hold } from '../entities';
import { WAITS_FOR_ACCOUNT, WAITS_FOR_RATE } from '../work/account-waits.sql';
import { CHANNEL_NAMES } from '../work/claims.sql';
import { OFFER_AGAIN_MS } from '../work/leases';
import { OF_LANE, WANTED_LANES } from '../work/open-work';
import { CAN_BE_LIVE } from '../work/oldest-open';
import { OF_HOLD } from './hold.sql';
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
  /** It goes on when its account can send it: that is not when it is due. */
  waitsForAccount: boolean;
  /** The limit that it was given back for last. */
  limit: LimitWait | null;
  leaseUntil: Date | null;
  hold:
    | (Pick<Hold, 'id' | 'target' | 'targetId' | 'heldBy' | 'byOperator' | 'reason'> & {
        name: string;
        isResumed: boolean;
      })
    | null;
  health: (IntegrationHealth & { providerId: string }) | null;
  /** How many rows of its environment, workflow and type wait for the same, this one included. */
  alike: number;
};

export type Stuck = {
  rows: StuckRow[];
  counts: { reason: StuckReason; count: number }[];
  /** More work is open than was looked at, so the counts are too small. */
  isBounded: boolean;
};

/** Open steps whose last attempt failed in the same way. They are tried again. */
export type RetriedErrors = Omit<RetriedErrorsDto, 'environmentId' | 'nextAt' | 'sampleNotificationId'> & {
  environmentId: EnvironmentId;
  nextAt: Date;
  sampleNotificationId: NotificationId;
};

/** Open rows that are looked at: those of each environment, type and lane that are due first, and those of holds. */
const LOOKED_AT = 100_000;
const OF_ONE_HOLD = 10_000;
/** The part of each of the lanes or holds. */
const SHARE = `greatest(${LOOKED_AT} / count(*) OVER (), 1)`;

const SINCE_DUE = 'coalesce(w.waiting_since, w.due_at)';

/** The integration that a step waits for: the last one tried, or any if none of its channel can be called. */
const PAUSED = `
  SELECT jsonb_agg(i.health || jsonb_build_object('providerId', i.provider_id) ORDER BY i.id) -> 0 AS health,
         count(*) AS active, count(*) FILTER (WHERE i.health ->> 'state' IN ('open', 'paused')) AS paused
    FROM integration i
   WHERE i.environment_id = w.environment_id AND i.channel = w.type AND i.active AND NOT i.deleted`;

/** The health of the integration that the row `w` waits for. */
const HEALTH_OF_AWAITED = `
  CASE WHEN ${WAITS_FOR_ACCOUNT} THEN
    (SELECT i.health || jsonb_build_object('providerId', i.provider_id) FROM integration i
      WHERE i.environment_id = w.environment_id AND i.id = w.waits_for) END`;

/** The open rows of each environment and type that are due first. */
const DUE_FIRST = `
  SELECT w.*, l.cap FROM (
      SELECT l.*, ${SHARE} AS cap FROM lanes l) l
   CROSS JOIN LATERAL (
     SELECT w.* FROM work w
      WHERE ${OF_LANE} AND w.hold_id IS NULL
      ORDER BY w.due_at LIMIT l.cap) w`;

/** The id of a claim begins with its time: a row does not change when it is claimed. */
const TIME_OF_CLAIM = `to_timestamp(('x' || translate(left(c.id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`;

/** A step that came back for a limit waits a few seconds in its worker; the first wait is not recorded. */
const WAITS_IN_WORKER = `w.progress ? 'limit' AND w.sending_since IS NULL
                AND l.claimed_at > now() - interval '${OFFER_AGAIN_MS} milliseconds'`;

/** The rows that can be stuck, and `cap`, the number to which rows like them are read. */
const IN_ENVIRONMENTS = `${WANTED_LANES}, candidates AS MATERIALIZED (
  ${DUE_FIRST}
  UNION ALL
  SELECT w.*, h.cap FROM (
      SELECT h.id, h.released_to, least(${OF_ONE_HOLD}, ${SHARE}) AS cap
        FROM hold h JOIN wanted e ON e.id = h.environment_id
       WHERE EXISTS (SELECT 1 FROM work w WHERE ${OF_HOLD})) h
   CROSS JOIN LATERAL (SELECT w.* FROM work w WHERE ${OF_HOLD} ORDER BY w.due_at LIMIT h.cap) w
)`;

/** The open steps of the notification $4. */
const OF_NOTIFICATION = `candidates AS MATERIALIZED (
  SELECT w.*, ${OF_ONE_HOLD} AS cap FROM work w
   WHERE w.id > $4::uuid AND w.id <= step_id($4::uuid, 254) AND w.type <> 'trigger'
     AND w.environment_id IN (SELECT id FROM wanted)
)`;

/**
 * `$1` are the environments or NULL, `$2` the age in seconds, `$3` the number of rows. A step whose time has not come
 * waits for no reason, unless `notYet` gives it one. The rows that are shown have every kind of wait before the second
 * row of any kind: a thousand held steps must not hide the one that is in doubt.
 */
const readStuck = (candidates: string, notYet: string): string => `
WITH RECURSIVE ${WANTED}, ${candidates}, leases AS MATERIALIZED (
  SELECT w.id, max(c.lease_until) AS lease_until, max(${TIME_OF_CLAIM}) AS claimed_at
    FROM claim c CROSS JOIN LATERAL unnest(c.work_ids, c.fences) AS h (id, fence)
    JOIN candidates w ON w.id = h.id AND (w.fence = h.fence OR w.claim_id = c.id)
   WHERE ${CAN_BE_LIVE}
   GROUP BY 1
), channels AS MATERIALIZED (
  SELECT w.environment_id, w.type, p.* FROM (SELECT DISTINCT environment_id, type FROM candidates) w
   CROSS JOIN LATERAL (${PAUSED}) p WHERE w.type IN (${CHANNEL_NAMES})
), judged AS MATERIALIZED (
  SELECT w.id, w.environment_id, w.type, w.hold_id, w.trigger_id, w.workflow_id, w.due_at, w.waiting_since,
         w.queued_at, w.sending_since, w.updated_at, l.lease_until, l.claimed_at,
         CASE WHEN w.hold_id IS NOT NULL THEN 'held'
              WHEN l.lease_until > now() AND ${WAITS_IN_WORKER} THEN 'limit'
              WHEN l.lease_until > now() THEN 'running'
              WHEN l.lease_until <= now() THEN 'lease_ended'
              WHEN w.sending_since IS NOT NULL THEN 'in_doubt'
              WHEN w.crash_count > 0 THEN 'crashed'
              WHEN w.is_delayed AND w.due_at > now() THEN ${notYet}
              WHEN p.active = 0 AND w.type <> 'in_app' THEN 'no_integration'
              WHEN p.paused = p.active AND p.active > 0 THEN 'provider_paused'
              WHEN ${WAITS_FOR_ACCOUNT} THEN CASE WHEN ${WAITS_FOR_RATE} THEN 'limit' ELSE 'provider_paused' END
              WHEN w.progress ? 'limit' AND w.due_at > now() - interval '${OFFER_AGAIN_MS} milliseconds' THEN 'limit'
              WHEN w.due_at > now() AND (w.attempt > 0 OR w.progress ? 'error') THEN 'retry'
              WHEN ${SINCE_DUE} > now() THEN ${notYet}
              WHEN w.offered_at > now() - interval '${OFFER_AGAIN_MS} milliseconds' THEN 'unclaimed'
              ELSE 'not_offered' END AS reason
    FROM candidates w LEFT JOIN leases l ON l.id = w.id
    LEFT JOIN channels p ON p.environment_id = w.environment_id AND p.type = w.type
), aged AS (
  SELECT w.id, w.environment_id, w.type, w.hold_id, w.trigger_id, w.workflow_id, w.reason,
         CASE w.reason WHEN 'held' THEN w.updated_at
                       WHEN 'running' THEN greatest(w.updated_at, least(w.claimed_at, now()))
                       WHEN 'lease_ended' THEN w.lease_until WHEN 'in_doubt' THEN w.sending_since
                       WHEN 'crashed' THEN w.updated_at
                       ELSE least(${SINCE_DUE}, coalesce(w.queued_at, w.updated_at)) END AS since
    FROM judged w WHERE w.reason IS NOT NULL
), old AS MATERIALIZED (
  SELECT a.*, coalesce(a.workflow_id, CASE WHEN a.type = 'trigger' THEN
           (SELECT t.workflow_id FROM trigger t WHERE t.id = a.trigger_id LIMIT 1) END) AS of_workflow
    FROM aged a WHERE since <= now() - $2 * interval '1 second'
), ranked AS (
  SELECT o.*, row_number() OVER (kind ORDER BY since, id) AS place, count(*) OVER kind AS alike
    FROM old o WINDOW kind AS (PARTITION BY reason, environment_id, of_workflow, type, hold_id)
), shown AS MATERIALIZED (
  SELECT * FROM ranked ORDER BY place, since, id LIMIT $3
)
SELECT s.reason, s.environment_id, e.name AS environment, s.type, s.id, w.notification_id, s.trigger_id,
       t.transaction_id, f.workflow_id, u.subscriber_id, s.since, w.due_at,
       w.waits_for IS NOT NULL AS waits_for_account, w.is_delayed, w.attempt, w.crash_count,
       nullif(w.progress -> 'error' ->> 'message', '') AS error, w.progress ->> 'providerId' AS provider_id,
       l.lease_until, coalesce(${HEALTH_OF_AWAITED}, CASE WHEN p.paused = p.active THEN p.health END) AS health,
       s.alike::int AS alike, w.progress -> 'limit' AS "limit",
       CASE WHEN h.id IS NOT NULL THEN jsonb_build_object('id', h.id, 'target', h.target, 'targetId', h.target_id,
         'name', h.target_name, 'heldBy', h.held_by, 'byOperator', h.by_operator,
         'reason', h.reason, 'isResumed', h.resumed_at IS NOT NULL) END
         AS hold,
       (SELECT json_agg(c) FROM (SELECT reason, count(*)::int FROM old GROUP BY 1 ORDER BY 2 DESC) c) AS counts,
       (SELECT EXISTS (SELECT 1 FROM candidates GROUP BY environment_id, type, hold_id
                       HAVING count(*) >= min(cap))) AS is_bounded
  FROM shown s JOIN wanted e ON e.id = s.environment_id
 CROSS JOIN LATERAL (SELECT * FROM work WHERE id = s.id LIMIT 1) w
  LEFT JOIN leases l ON l.id = s.id
  LEFT JOIN channels p ON p.environment_id = s.environment_id AND p.type = s.type
  LEFT JOIN LATERAL (SELECT * FROM trigger WHERE id = s.trigger_id LIMIT 1) t ON true
  LEFT JOIN workflow f ON f.environment_id = s.environment_id AND f.id = coalesce(s.of_workflow, t.workflow_id)
  LEFT JOIN subscriber u ON u.environment_id = s.environment_id AND u.id = w.subscriber_id
  LEFT JOIN hold h ON h.id = s.hold_id
 ORDER BY s.since, s.id`;

const READ_STUCK = readStuck(IN_ENVIRONMENTS, 'NULL');
const READ_NOTIFICATION = readStuck(OF_NOTIFICATION, `'delayed'`);

/** A notification has fewer steps. */
const STEPS_OF_NOTIFICATION = 255;

/**
 * By what the last attempt met; a step that was not called has the words that stopped the calls. Postgres would read
 * the candidates again for each environment, unless it keeps them.
 */
const RETRIED = `
WITH RECURSIVE ${WANTED}, ${WANTED_LANES}, candidates AS MATERIALIZED (
  SELECT * FROM (${DUE_FIRST}) w WHERE w.type IN (${CHANNEL_NAMES}) AND w.progress ? 'error'
), stopped AS MATERIALIZED (
  SELECT DISTINCT ON (i.environment_id, i.channel) i.environment_id, i.channel, i.provider_id,
         i.health ->> 'reason' AS reason, (i.health ->> 'until')::timestamptz AS until
    FROM integration i JOIN wanted e ON e.id = i.environment_id
   WHERE i.active AND NOT i.deleted AND i.health ->> 'state' IN ('open', 'paused')
   ORDER BY i.environment_id, i.channel, i.id
)
SELECT e.id AS environment_id, e.name AS environment, w.type AS channel,
       coalesce(nullif(w.progress ->> 'providerId', 'platform'), p.provider_id) AS provider_id,
       coalesce(CASE WHEN w.progress -> 'error' ? 'notCalled' THEN p.reason END,
                nullif(w.progress -> 'error' ->> 'message', ''), p.reason) AS reason, count(*)::int AS count,
       count(DISTINCT w.subscriber_id)::int AS people,
       min(CASE WHEN ${WAITS_FOR_ACCOUNT} THEN coalesce(p.until, w.due_at) ELSE w.due_at END) AS next_at,
       max(w.notification_id::text) AS sample_notification_id
  FROM candidates w JOIN wanted e ON e.id = w.environment_id
  LEFT JOIN stopped p ON p.environment_id = w.environment_id AND p.channel = w.type
 GROUP BY 1, 2, 3, 4, 5 ORDER BY count(*) DESC LIMIT ${LIMITS.errorGroups}`;

/** Open work that waits longer than expected. With the rights of the service: tenants see neither claims nor bounds. */
export class StuckRepository extends Repository {
  /** The oldest first, in one statement. */
  async read(environmentIds: EnvironmentIds, olderThanSeconds: number, limit: number): Promise<Stuck> {
    const found = await this.database.rows<StuckRow & Omit<Stuck, 'rows'>>(READ_STUCK, [
      environmentIds ?? null,
      olderThanSeconds,
      limit,
    ]);
    return {
      rows: found.map(({ counts: _, isBounded: __, ...row }) => row),
      counts: found[0]?.counts ?? [],
      isBounded: found[0]?.isBounded ?? false,
    };
  }

  /** What each open step of a notification waits for, also those whose time has not come. */
  async ofNotification(environmentId: EnvironmentId, notificationId: NotificationId): Promise<StuckRow[]> {
    const found = await this.database.rows<StuckRow & Omit<Stuck, 'rows'>>(READ_NOTIFICATION, [
      [environmentId],
      0,
      STEPS_OF_NOTIFICATION,
      notificationId,
    ]);
    return found.map(({ counts: _, isBounded: __, ...row }) => row);
  }

  /** The largest group first. */
  retried(environmentIds: EnvironmentIds): Promise<RetriedErrors[]> {
    return this.database.rows<RetriedErrors>(RETRIED, [environmentIds ?? null]);
  }

  /** How many connections of this database each role of Clarion has. A process without one does no work. */
  async connectedRoles(): Promise<{ role: string; connections: number }[]> {
    return this.database.rows(
      `SELECT substr(application_name, 9) AS role, count(*)::int AS connections FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'clarion-%' GROUP BY 1 ORDER BY 1`,
    );
  }
}
