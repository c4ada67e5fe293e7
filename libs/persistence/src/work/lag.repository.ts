import type { Lag, StepType } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { OFFER_AGAIN_MS } from './leases';
import { WAITS_FOR_ACCOUNT, WAITS_FOR_RATE } from './account-waits.sql';
import { isClaimedOfMany, LANES, OF_LANE } from './open-work';
import { VACUUM_OBSTACLES } from '../connection/inspect-database';
import { beforeKept, entriesBetween } from '../history/log-entries.sql';
import { OF_HOLD } from '../operations/hold.sql';

/** The cap of the count, so that reading a long backlog costs no more than a short one. */
const STEP_CAP = 50_000;
const COUNT_CAP = 10_000;
const ENVIRONMENT_CAP = 1_000;

/** A step that was given back because its account is busy, or for render time, is still due. It waits this long. */
const GIVEN_BACK_FOR = `interval '30 seconds'`;

/** Every integration that could send the steps of a lane has stopped. */
const IS_PAUSED = `coalesce((
  SELECT bool_and(coalesce(i.health ->> 'state' IN ('open', 'paused'), false)) FROM integration i
   WHERE i.environment_id = lanes.environment_id AND i.channel = lanes.type AND i.active AND NOT i.deleted), false)`;
/** A step whose time to try again passed long ago waits for a process: those that should try it are missing. */
const CAUSE = `CASE WHEN w.due_at < now() - interval '${OFFER_AGAIN_MS} milliseconds' THEN 'runnable'
                         WHEN ${WAITS_FOR_RATE} THEN 'rate_limit'
                         WHEN w.progress ? 'limit' THEN 'budget'
                         WHEN l.is_paused THEN 'breaker' ELSE 'runnable' END`;
/** The due steps of the lane `l`. */
const DUE_STEPS = `SELECT coalesce(w.waiting_since, w.due_at) AS due_since, ${CAUSE} AS cause FROM work w
              WHERE ${OF_LANE} AND w.due_at <= now() + ${GIVEN_BACK_FOR}
                AND coalesce(w.waiting_since, w.due_at) <= now()
              ORDER BY w.due_at`;

const WITH_LANES = `WITH RECURSIVE ${LANES}`;
/** Offered: the queue of a running engine should have it. */
const ON_OFFER = `w.due_at <= now() AND w.offered_at > now() - interval '${OFFER_AGAIN_MS} milliseconds'
              AND NOT ${isClaimedOfMany('w')}`;

/** The backlog of all environments: for operators, not for tenants. */
export class LagRepository extends Repository {
  async read(isDetailed: boolean): Promise<Lag> {
    const [steps, environments, triggers, accounts, held, webhooks, mirrors, postgres] = await Promise.all([
      this.steps(),
      this.environments(),
      this.triggers(),
      isDetailed ? this.accounts() : this.accountsByProvider(),
      this.held(),
      this.webhooks(),
      this.mirrors(),
      this.postgres(),
    ]);
    return { steps, environments, triggers, accounts, held, webhooks, mirrors, postgres };
  }

  /** Due steps by type, lane and cause, and how long the oldest has been due. */
  steps(): Promise<Lag['steps']> {
    return this.database.rows(
      `${WITH_LANES}
       SELECT type, lane, cause, sum(due)::int AS due,
              extract(epoch FROM now() - min(oldest))::float8 AS oldest_seconds FROM (
       SELECT l.type, l.lane, d.cause, d.due, d.oldest
         FROM (SELECT *, greatest(${STEP_CAP} / count(*) OVER (PARTITION BY type), 1) AS cap, ${IS_PAUSED} AS is_paused
                 FROM lanes WHERE type <> 'trigger') l
         CROSS JOIN LATERAL (
           SELECT cause, count(*) AS due, min(due_since) AS oldest FROM (
             ${DUE_STEPS} LIMIT l.cap) counted GROUP BY 1) d
       UNION ALL
       SELECT type, lane, cause, count(*), min(due_since) FROM (
         SELECT w.type, w.lane, coalesce(w.waiting_since, w.updated_at) AS due_since,
                CASE WHEN ${WAITS_FOR_RATE} THEN 'rate_limit' ELSE 'breaker' END AS cause
           FROM work w WHERE ${WAITS_FOR_ACCOUNT} LIMIT ${STEP_CAP}) waiting
        GROUP BY 1, 2, 3) counted
        GROUP BY 1, 2, 3`,
    );
  }

  /** Due steps that more processes would do sooner, by environment; the one with the most first. */
  environments(): Promise<Lag['environments']> {
    return this.database.rows(
      `${WITH_LANES}
       SELECT l.environment_id, sum(d.due)::int AS due,
              extract(epoch FROM now() - min(d.oldest))::float8 AS oldest_seconds
         FROM (SELECT *, ${IS_PAUSED} AS is_paused FROM lanes
                WHERE type <> 'trigger' AND first_due_at <= now() + ${GIVEN_BACK_FOR}) l
         CROSS JOIN LATERAL (
           SELECT count(*) AS due, min(due_since) AS oldest FROM (
             ${DUE_STEPS} LIMIT ${ENVIRONMENT_CAP}) counted
            WHERE cause = 'runnable') d
        WHERE d.due > 0
        GROUP BY 1 ORDER BY 2 DESC, 3 DESC`,
    );
  }

  /** Triggers that have not become notifications. */
  triggers(): Promise<Lag['triggers']> {
    return this.database.one(
      `${WITH_LANES}
       SELECT coalesce(sum(d.open), 0)::int AS open,
              greatest(coalesce(extract(epoch FROM now() - min(d.oldest)), 0), 0)::float8 AS oldest_seconds
         FROM (SELECT *, greatest(${COUNT_CAP} / count(*) OVER (), 1) AS cap FROM lanes WHERE type = 'trigger') l
         CROSS JOIN LATERAL (
           SELECT count(*) AS open, min(accepted_at) AS oldest FROM (
             SELECT coalesce(w.waiting_since, w.due_at) AS accepted_at FROM work w
              WHERE ${OF_LANE} ORDER BY w.due_at LIMIT l.cap) counted) d`,
    );
  }

  /** Steps that wait for holds; they are not due. */
  held(): Promise<Lag['held']> {
    return this.database.rows(
      `SELECT h.target, sum(d.waiting)::int AS steps FROM hold h
        CROSS JOIN LATERAL (
          SELECT count(*) AS waiting FROM work w WHERE ${OF_HOLD}) d
        GROUP BY h.target`,
    );
  }

  /** What webhook endpoints have not got yet: waiting deliveries, and entries behind the cursor. */
  webhooks(): Promise<Lag['webhooks']> {
    return this.database.one(
      `SELECT coalesce(sum(d.waiting + greatest(l.last_sequence - e.cursor, 0)) FILTER (WHERE e.active), 0)::float8
                AS waiting,
              coalesce(greatest(extract(epoch FROM now() - min(least(d.oldest, x.created_at))
                                FILTER (WHERE e.active AND e.failing_since IS NULL)), 0), 0)::float8
                AS oldest_seconds,
              json_build_object('active', count(*) FILTER (WHERE e.active AND e.failing_since IS NULL),
                                'failing', count(*) FILTER (WHERE e.active AND e.failing_since IS NOT NULL),
                                'disabled', count(*) FILTER (WHERE e.disabled_reason IS NOT NULL)) AS endpoints
         FROM webhook_endpoint e LEFT JOIN event_log l ON l.environment_id = e.environment_id
         CROSS JOIN LATERAL (
           SELECT count(*) AS waiting, min(created_at) AS oldest FROM webhook_delivery
            WHERE endpoint_id = e.id AND state = 'waiting') d
         LEFT JOIN LATERAL (
           SELECT next.created_at
             FROM (SELECT ${beforeKept('e.environment_id', 'e.cursor')} AS number OFFSET 0) before
            CROSS JOIN LATERAL (
              ${entriesBetween('e.environment_id', 'before.number', 'before.number + 1')}) next LIMIT 1) x ON e.active`,
    );
  }

  /** Copies of triggers that other systems have not got, and the mirrors that are in use. */
  mirrors(): Promise<Lag['mirrors']> {
    return this.database.one(
      `SELECT coalesce(sum(d.waiting), 0)::int AS waiting,
              json_build_object('working', count(*) FILTER (WHERE m.failing_since IS NULL),
                                'failing', count(*) FILTER (WHERE m.failing_since IS NOT NULL)) AS mirrors
         FROM mirror m
        CROSS JOIN LATERAL (
          SELECT count(*) AS waiting FROM (
            SELECT 1 FROM mirror_copy c WHERE c.environment_id = m.environment_id AND c.state = 'waiting'
             LIMIT ${STEP_CAP}) counted) d
        WHERE d.waiting > 0 OR m.ended_at IS NULL AND m.until > now()`,
    );
  }

  /** The last maintenance, and what keeps Postgres from removing dead rows of the tables that change most. */
  postgres(): Promise<Lag['postgres']> {
    return this.database.one(
      `SELECT (SELECT extract(epoch FROM now() - ended_at)::float8 FROM maintenance) AS "maintenanceSeconds",
              coalesce((SELECT jsonb_array_length(obstacles) FROM maintenance), 0) AS "retentionObstacles",
              coalesce(max(o.seconds), 0)::float8 AS "oldestTransactionSeconds",
              coalesce(max(o.transactions), 0)::float8 AS "oldestSnapshotTransactions",
              (SELECT json_agg(json_build_object('table', relname, 'rows', n_dead_tup)) FROM pg_stat_user_tables
                WHERE relid IN ('work'::regclass, 'claim'::regclass)) AS "deadRows"
         FROM (${VACUUM_OBSTACLES}) o`,
    );
  }

  accountsByProvider(): Promise<Lag['accounts']> {
    return this.database.rows(
      `SELECT channel, provider_id, coalesce(health ->> 'state', 'closed') AS state, count(*)::int AS integrations
         FROM integration WHERE active AND NOT deleted GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    );
  }

  accounts(): Promise<Lag['accounts']> {
    return this.database.rows(
      `SELECT channel, provider_id, coalesce(health ->> 'state', 'closed') AS state, 1 AS integrations,
              environment_id, id AS integration_id
         FROM integration WHERE active AND NOT deleted ORDER BY id LIMIT ${COUNT_CAP}`,
    );
  }

  /** Whether a due step of these types is offered and unclaimed: a worker of these types should be claiming it. */
  hasStepsOnOffer(types: readonly StepType[]): Promise<boolean> {
    return this.hasOnOffer(types);
  }

  hasTriggersOnOffer(): Promise<boolean> {
    return this.hasOnOffer(['trigger']);
  }

  private hasOnOffer(types: readonly StepType[]): Promise<boolean> {
    return this.database.value<boolean>(
      `${WITH_LANES}
       SELECT EXISTS (
         SELECT 1 FROM lanes l
          CROSS JOIN LATERAL (SELECT 1 FROM work w WHERE ${OF_LANE} AND ${ON_OFFER} LIMIT 1) waiting
          WHERE l.type = ANY ($1)) AS found`,
      [types],
    );
  }
}
