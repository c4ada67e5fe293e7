import { ACCOUNT_TRIED_MS, OFFER_AGAIN_MS } from './leases';
import { DEAD_ROWS } from './oldest-open';

/*
 * A step that cannot be sent now waits for an account: for one that cannot be called, or for the limit of messages a
 * second of one that can. Its row names the integration and is due by itself only much later, or when its message
 * expires. The sweeper releases such rows by integration: none while it cannot be called, one of each lane when it may
 * be tried again, and when it can be called, as many as its limit lets through. So a row is written once when it begins
 * to wait and once when it goes on, however many wait with it.
 */

/** The rows of one integration that are released in one sweep. */
const RELEASED_AT_ONCE = 1_000;

/** Seconds of the limit of an integration that are released before they have passed. Workers have places for them. */
const RELEASED_SECONDS = 2;

/** No worker has called the integration for so long: it may have no limit any more. */
const PACED_FOR = `interval '10 minutes'`;

/** Of the rows of an integration that are released together, each lane has this part at least. */
const LEAST_PART = 0.1;

/** How long after its change an integration is compared with rows that wait for another one of its channel. */
const COMPARED_FOR = `interval '1 minute'`;

/** Whether the row `w` waits for an integration. One whose own time has come waits for a worker. */
export const WAITS_FOR_ACCOUNT = `w.waits_for IS NOT NULL AND w.due_at > now()`;

/** Whether the row `w` was given back for the limit of an integration on messages a second. */
export const WAITS_FOR_RATE = `w.progress #>> '{limit,limit}' = 'rate_limit'`;

/**
 * Whether the row `w` waits for an integration or for a budget. One whose time to try again passed long ago waits for a
 * process: those that should try it are missing.
 */
export const GIVEN_BACK = `(${WAITS_FOR_ACCOUNT}
  OR w.progress ? 'limit' AND w.due_at > now() - interval '${OFFER_AGAIN_MS} milliseconds')`;

/** Each integration and lane that rows wait for, found by skipping through the index, and the first of these rows. */
const WAITING = `waiting AS (
  (SELECT w.waits_for, w.lane, w.due_at AS since FROM work w WHERE ${WAITS_FOR_ACCOUNT}
    ORDER BY w.waits_for, w.lane, w.due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM waiting l CROSS JOIN LATERAL (
    SELECT w.waits_for, w.lane, w.due_at FROM work w
     WHERE ${WAITS_FOR_ACCOUNT} AND (w.waits_for, w.lane) > (l.waits_for, l.lane)
     ORDER BY w.waits_for, w.lane, w.due_at LIMIT 1) next
)`;

/** The same for known integrations ($1) and lanes ($2), from the rows on that were the first ones before ($3). */
const KNOWN_WAITING = `waiting AS MATERIALIZED (
  SELECT k.waits_for, k.lane, first.since
    FROM unnest($1::uuid[], $2::smallint[], $3::timestamptz[]) AS k (waits_for, lane, since) CROSS JOIN LATERAL (
      SELECT w.due_at AS since FROM work w
       WHERE w.waits_for = k.waits_for AND w.lane = k.lane AND w.due_at >= greatest(k.since, now())
       ORDER BY w.due_at LIMIT 1) first
)`;

const maySend = (integration: string): string => `coalesce(${integration}.active AND NOT ${integration}.deleted
  AND coalesce(${integration}.health ->> 'state' NOT IN ('open', 'paused'), true), false)`;

/** Until when released rows keep the integration of `s` busy. A later time is from before the clock was set back. */
const busyUntil = (s: string): string => `CASE
  WHEN ${s}.released_until BETWEEN now() AND ${latestBusy(s)} THEN ${s}.released_until ELSE now() END`;
/** With a slow limit, one row of each of the three lanes takes longer. */
const latestBusy = (s: string): string => `now() + (${RELEASED_SECONDS} + 3 / ${s}.per_second) * interval '1 second'`;

/** The limits of integrations. Those that another engine releases rows of at this moment are not among them. */
const PACES = `limited AS MATERIALIZED (
  SELECT integration_id FROM send_rate s
   WHERE s.integration_id IN (SELECT waits_for FROM waiting) AND s.per_second > 0 AND s.ends_at > now() - ${PACED_FOR}
), paces AS MATERIALIZED (
  SELECT s.integration_id, s.per_second, ${busyUntil('s')} AS busy_until FROM send_rate s
   WHERE s.integration_id IN (SELECT integration_id FROM limited) AND s.per_second > 0 FOR UPDATE SKIP LOCKED
)`;

/** How many rows the limit of the integration `i` lets through. */
const PACE = `CASE
  WHEN NOT EXISTS (SELECT 1 FROM limited WHERE integration_id = i.id) THEN ${RELEASED_AT_ONCE}
  ELSE coalesce((SELECT least(${RELEASED_AT_ONCE}, greatest(
         floor(extract(epoch FROM now() - p.busy_until + ${RELEASED_SECONDS} * interval '1 second') * p.per_second),
         CASE WHEN p.busy_until <= now() THEN 1 ELSE 0 END))::int
         FROM paces p WHERE p.integration_id = i.id), 0) END`;

/**
 * How many rows may go on: `count` of those that wait for the integration `i`, and those that have waited since before
 * `changed_at`, when another integration that may send them was added, changed or became available. While `i` can be
 * called, that is one that goes before it.
 */
const JUDGED = `judged AS MATERIALIZED (
  SELECT w.waits_for, w.lanes, a.*
    FROM (SELECT waits_for, count(*)::int AS lanes FROM waiting GROUP BY 1) w
    LEFT JOIN integration i ON i.id = w.waits_for
   CROSS JOIN LATERAL (
      SELECT CASE WHEN i.id IS NULL OR i.deleted OR NOT i.active THEN ${RELEASED_AT_ONCE}
                  WHEN ${maySend('i')} OR u.until <= now() - interval '${ACCOUNT_TRIED_MS} milliseconds' THEN ${PACE}
                  WHEN u.until <= now() THEN 1 ELSE 0 END AS count,
             (SELECT max(o.updated_at) FROM integration o
               WHERE o.environment_id = i.environment_id AND o.channel = i.channel AND o.id <> i.id
                 AND ${maySend('o')} AND (o."primary" OR NOT ${maySend('i')})
                 AND o.updated_at > now() - ${COMPARED_FOR}) AS changed_at
        FROM (SELECT coalesce((i.health ->> 'until')::timestamptz, '-infinity') AS until) u) a
   WHERE a.count > 0 OR a.changed_at IS NOT NULL
)`;

/** The first rows of the integration and lane, in the order in which they began to wait. */
const firstRows = (condition: string, count: string): string => `
  SELECT w.id, w.due_at FROM work w
   WHERE w.waits_for = j.waits_for AND w.lane = l.lane AND w.due_at >= l.since${condition}
   ORDER BY w.due_at LIMIT ${count}`;

/** Earlier lanes go first, but each one has a part, and at least one row. */
const NEXT = `next AS MATERIALIZED (
  SELECT id FROM (
    SELECT n.id, greatest(j.count, j.lanes) AS most, row_number() OVER (
             PARTITION BY j.waits_for ORDER BY n.place > ceil(j.count * ${LEAST_PART}), l.lane, n.place) AS turn
      FROM judged j JOIN waiting l ON l.waits_for = j.waits_for
     CROSS JOIN LATERAL (
       SELECT id, row_number() OVER (ORDER BY due_at) AS place FROM (${firstRows('', 'j.count')}) w) n
     WHERE j.count > 0) ranked
   WHERE turn <= most
  UNION
  SELECT n.id FROM judged j JOIN waiting l ON l.waits_for = j.waits_for
   CROSS JOIN LATERAL (${firstRows(' AND w.updated_at < j.changed_at', String(RELEASED_AT_ONCE))}) n
   WHERE j.changed_at IS NOT NULL
)`;

/**
 * Releases the next rows, which are offered by this: the caller puts them into the queue. Another engine that does the
 * same skips them, and both together keep the limits. Also returns for what rows wait and since when, and the number of
 * dead rows of the table. With `waits_for IS NOT NULL`, Postgres may look for the ids in the index of rows that wait.
 */
const release = (waiting: string): string => `
WITH RECURSIVE ${waiting}, ${PACES}, ${JUDGED}, ${NEXT}, picked AS MATERIALIZED (
  SELECT w.id, w.waits_for FROM work w
   WHERE num_nonnulls(w.waits_for) = 1 AND w.id = ANY (ARRAY(SELECT id FROM next)) FOR UPDATE SKIP LOCKED
), paced AS (
  UPDATE send_rate s SET released_until =
         least(p.busy_until + r.count / p.per_second * interval '1 second', ${latestBusy('p')})
    FROM paces p JOIN (SELECT waits_for, count(*) AS count FROM picked GROUP BY 1) r ON r.waits_for = p.integration_id
   WHERE s.integration_id = p.integration_id
), released AS (
  UPDATE work w SET waits_for = NULL, due_at = now(), offered_at = now(), was_offered_again = true, updated_at = now()
   WHERE w.id = ANY (ARRAY(SELECT id FROM picked))
  RETURNING w.id, w.environment_id, w.type, w.lane
)
SELECT 'released' AS kind, id, environment_id AS "environmentId", type, lane, NULL::uuid AS "waitsFor",
       NULL::timestamptz AS since, NULL::bigint::float8 AS dead FROM released
UNION ALL SELECT 'waiting', NULL, NULL, NULL, lane, waits_for, since, NULL FROM waiting
UNION ALL SELECT 'dead', NULL, NULL, NULL, NULL, NULL, NULL, ${DEAD_ROWS}`;

export const RELEASE_WAITING = release(WAITING);
export const RELEASE_KNOWN_WAITING = release(KNOWN_WAITING);
