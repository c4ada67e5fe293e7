import { ACCOUNT_TRIED_MS } from './leases';

/*
 * A step that finds no account to call waits for one. Its row names the integration and is due by itself only after
 * `ACCOUNT_WAIT_MS`, or when its message expires. The sweeper releases such rows by integration: none while it cannot
 * be called, one of each lane when it may be tried again, and all when it can be called. So what an account that stays
 * away costs does not depend on the number of rows that wait for it.
 */

/** The rows of one integration and lane that are released in one sweep. */
const RELEASED_AT_ONCE = 1_000;

/** How long after its change an integration is compared with rows that wait for another one of its channel. */
const COMPARED_FOR = `interval '1 minute'`;

/** Whether the row `w` waits for an integration. One whose own time has come waits for a worker. */
export const WAITS_FOR_ACCOUNT = `w.waits_for IS NOT NULL AND w.due_at > now()`;

/** Each integration and lane that rows wait for, found by skipping through the index. */
const WAITING = `waiting AS (
  (SELECT w.waits_for, w.lane FROM work w WHERE ${WAITS_FOR_ACCOUNT}
    ORDER BY w.waits_for, w.lane, w.due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM waiting l CROSS JOIN LATERAL (
    SELECT w.waits_for, w.lane FROM work w
     WHERE ${WAITS_FOR_ACCOUNT} AND (w.waits_for, w.lane) > (l.waits_for, l.lane)
     ORDER BY w.waits_for, w.lane, w.due_at LIMIT 1) next
)`;

const maySend = (integration: string): string => `(${integration}.active AND NOT ${integration}.deleted
  AND coalesce(${integration}.health ->> 'state' NOT IN ('open', 'paused'), true))`;

/**
 * How many rows may go on: `count` of those that wait for the integration `i`, and those that have waited since before
 * `changed_at`, when another integration of the channel was added, changed or became available: it may send them.
 */
const JUDGED = `judged AS MATERIALIZED (
  SELECT w.waits_for, w.lane, a.*
    FROM waiting w LEFT JOIN integration i ON i.id = w.waits_for CROSS JOIN LATERAL (
      SELECT CASE WHEN i.id IS NULL OR i.deleted OR NOT i.active OR ${maySend('i')} THEN ${RELEASED_AT_ONCE}
                  WHEN u.until <= now() - interval '${ACCOUNT_TRIED_MS} milliseconds' THEN ${RELEASED_AT_ONCE}
                  WHEN u.until <= now() THEN 1 ELSE 0 END AS count,
             (SELECT max(o.updated_at) FROM integration o
               WHERE o.environment_id = i.environment_id AND o.channel = i.channel AND o.id <> i.id
                 AND ${maySend('o')} AND o.updated_at > now() - ${COMPARED_FOR}) AS changed_at
        FROM (SELECT coalesce((i.health ->> 'until')::timestamptz, '-infinity') AS until) u) a
   WHERE a.count > 0 OR a.changed_at IS NOT NULL
)`;

/** Releases the next rows, in the order in which they began to wait. Another engine that does the same skips them. */
export const RELEASE_WAITING = `
WITH RECURSIVE ${WAITING}, ${JUDGED}, picked AS (
  SELECT w.id FROM work w
   WHERE w.waits_for IS NOT NULL AND w.id = ANY (ARRAY(
     SELECT n.id FROM judged j CROSS JOIN LATERAL (
       SELECT w.id FROM work w
        WHERE w.waits_for = j.waits_for AND w.lane = j.lane AND w.due_at > now()
          AND (j.count > 0 OR w.updated_at < j.changed_at)
        ORDER BY w.due_at LIMIT CASE j.count WHEN 0 THEN ${RELEASED_AT_ONCE} ELSE j.count END) n))
     FOR UPDATE SKIP LOCKED
), released AS (
  UPDATE work w SET waits_for = NULL, due_at = now(), offered_at = NULL, was_offered_again = false, updated_at = now()
   WHERE w.id = ANY (ARRAY(SELECT id FROM picked))
  RETURNING w.id
)
SELECT count(*)::int AS count FROM released`;
