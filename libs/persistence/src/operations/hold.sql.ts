import { MAY_SEND } from '../channels/integration.sql';

/*
 * A step that waits for a hold is an open row with `hold_id` and a due time far in the future. So no statement that
 * looks for due rows finds it, and it costs nothing while it waits. The time that it was due is still in it: the steps
 * of a hold are released in that order.
 */

/** How much later a held row is due. */
const HELD_FOR = `interval '1000 years'`;

/** The steps of one hold that are released in one second. */
const RELEASED_PER_SECOND = 1_000;
/** And those of all holds of an organization: the sweep waits for the statement, and other due work for the sweep. */
const RELEASED_OF_ORGANIZATION = 10_000;
/** Holds that are released at the same time. */
const RELEASED_HOLDS = 100;
/** The least time between two releases of a hold; a little less than the time between two sweeps. */
const RELEASE_PAUSE = `interval '900 milliseconds'`;

/** The hold `h` was resumed, and its next steps follow. */
const MAY_RELEASE = `
  h.resumed_at IS NOT NULL AND (h.released_at IS NULL OR h.released_at <= now() - ${RELEASE_PAUSE})`;

/** When the row `w` was due, or will be, without its hold. */
export const dueWithoutHold = (work: string): string =>
  `CASE WHEN ${work}.hold_id IS NULL THEN ${work}.due_at ELSE ${work}.due_at - ${HELD_FOR} END`;

/** The rows `w` that wait for the hold `h`. Those that were released have left dead rows before them. */
export const OF_HOLD = `w.hold_id = h.id AND w.due_at >= coalesce(h.released_to, '-infinity')`;

/** Whichever account would send. The first part is evaluated once: without holds, claims pay nothing. */
export const HOLD_OF_CLAIMED = `
       CASE WHEN (SELECT EXISTS (SELECT 1 FROM hold WHERE resumed_at IS NULL)) THEN
         (SELECT h.id FROM hold h
           WHERE h.environment_id = c.environment_id AND h.resumed_at IS NULL
             AND (h.target = 'environment' OR (h.target = 'channel' AND h.target_id = c.type)
                  OR (h.target = 'workflow' AND h.target_id = n.workflow_id::text))
           ORDER BY h.id LIMIT 1) END AS held_by`;

/** The hold that keeps the messages of the integration `i` waiting. */
export const HOLD_OF_INTEGRATION = `
  (SELECT h.id FROM hold h
    WHERE h.environment_id = i.environment_id AND h.resumed_at IS NULL
      AND ((h.target = 'integration' AND h.target_id = i.id::text)
           OR (h.target = 'channel' AND h.target_id = i.channel) OR h.target = 'environment')
    ORDER BY h.id LIMIT 1)`;

/** Changes with the holds of the environment. */
export const holdStamp = (environmentId: string): string => `
  (SELECT count(*) || ' ' || coalesce(max(id::text), '') FROM hold
    WHERE environment_id = ${environmentId} AND resumed_at IS NULL)`;

/**
 * Lets claimed steps ($1, with fences $2) wait for holds ($3). $4 and $5 are the status and text of the detail. A hold
 * that has been resumed keeps no step. The lock lets the two wait for each other: resuming sees every step of the hold.
 */
export const KEEP_STEPS = `
WITH holds AS (
  SELECT * FROM hold WHERE id = ANY ($3::uuid[]) AND resumed_at IS NULL FOR SHARE
), kept AS (
  UPDATE work w SET
    fence = w.fence + 1, claim_id = NULL, offered_at = NULL, was_offered_again = false, updated_at = now(),
    waiting_since = NULL, waits_for = NULL, hold_id = h.id, due_at = w.due_at + ${HELD_FOR},
    progress = nullif(w.progress - 'limit' - 'noted', '{}')
    FROM unnest($1::uuid[], $2::int[], $3::uuid[]) AS i (id, fence, hold_id) JOIN holds h ON h.id = i.hold_id
   WHERE w.id = i.id AND w.id = ANY ($1::uuid[]) AND w.fence = i.fence
  RETURNING w.id, w.environment_id, w.notification_id, h.id AS hold_id
)
INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
SELECT uuid_v7(), k.environment_id, k.notification_id, k.id, $4::text,
       replace(replace(replace(replace(replace($5::text, '{target}', h.target), '{name}', h.target_name),
         '{heldBy}', h.held_by), '{since}', to_char(h.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
         '{reason}', h.reason),
       jsonb_build_object('holdId', h.id, 'target', h.target, 'id', h.target_id, 'heldBy', h.held_by,
                          'setBy', CASE WHEN h.by_operator THEN 'operator' ELSE h.held_by END,
                          'reason', h.reason)::text
  FROM kept k JOIN holds h ON h.id = k.hold_id`;

/** Returns the hold of steps without an integration; written again so that a concurrent insert returns it. */
export const HOLD_WITHOUT_INTEGRATION = `
INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by)
SELECT uuid_v7(), e.id, 'missing_integration', $2::text, $2::text, 'no active integration', 'withoutIntegration'
  FROM (SELECT DISTINCT unnest($1::uuid[]) AS id ORDER BY 1) e
ON CONFLICT (environment_id, target, target_id) WHERE resumed_at IS NULL DO UPDATE SET reason = excluded.reason
RETURNING id, environment_id`;

/** What `sorted` has for the row `w`. It is read once: a join could copy all of it for each row. */
const ofSorted = (column: string): string =>
  `(SELECT ${column} FROM sorted)[width_bucket(w.id, (SELECT ids FROM sorted))]`;

/**
 * Releases the next steps of each hold that has been resumed, spread over a second, and deletes holds without steps. Of
 * many holds, organizations take turns, and so do the environments of each. A release begins where the last one ended,
 * because the released steps leave dead rows before the others. Another engine that does the same skips these holds. A
 * hold of a channel without an integration is resumed here as soon as the channel has one, for any reason, or the
 * environment wants such steps to fail or is a sandbox; its steps follow with the next call, and a worker judges them
 * again. `width_bucket` finds the place of an id in a sorted array. A join with the places would compare every row
 * with every other one: without new statistics, Postgres expects one row where there are ten thousand. With
 * `hold_id = ...`, Postgres may look for the ids in the index of the rows on hold, which has the dead ones.
 */
export const RELEASE_HELD = `
WITH served AS (
  UPDATE hold h SET resumed_at = now()
   WHERE h.target = 'missing_integration' AND h.resumed_at IS NULL
     AND (EXISTS (SELECT 1 FROM integration i JOIN environment e ON e.id = i.environment_id
                   WHERE i.environment_id = h.environment_id AND i.channel = h.target_id AND ${MAY_SEND})
          OR EXISTS (SELECT 1 FROM environment e
                      WHERE e.id = h.environment_id AND (e.without_integration = 'fail' OR e.kind = 'sandbox')))
), turns AS MATERIALIZED (
  SELECT p.id, p.organization_id, p.turn FROM (
    SELECT o.id, o.resumed_at, o.organization_id,
           row_number() OVER (PARTITION BY o.organization_id ORDER BY o.turn, o.resumed_at, o.id) AS turn
      FROM (SELECT h.id, h.resumed_at, e.organization_id,
                   row_number() OVER (PARTITION BY h.environment_id ORDER BY h.resumed_at, h.id) AS turn
              FROM hold h JOIN environment e ON e.id = h.environment_id WHERE ${MAY_RELEASE}) o) p
   ORDER BY p.turn, p.resumed_at LIMIT ${RELEASED_HOLDS}
), resumed AS MATERIALIZED (
  SELECT h.id, h.released_to FROM hold h
   WHERE h.id = ANY (ARRAY(SELECT id FROM turns)) AND ${MAY_RELEASE} FOR UPDATE SKIP LOCKED
), found AS MATERIALIZED (
  SELECT n.id, n.place, n.due_at, h.id AS hold_id,
         row_number() OVER (PARTITION BY t.organization_id ORDER BY n.place, t.turn) AS place_of_organization
    FROM resumed h JOIN turns t ON t.id = h.id CROSS JOIN LATERAL (
      SELECT w.id, w.due_at, row_number() OVER (ORDER BY w.due_at, w.id) AS place FROM work w
       WHERE ${OF_HOLD} ORDER BY w.due_at, w.id LIMIT ${RELEASED_PER_SECOND}) n
), next AS MATERIALIZED (
  SELECT id, place, due_at, hold_id FROM found WHERE place_of_organization <= ${RELEASED_OF_ORGANIZATION}
), sorted AS MATERIALIZED (
  SELECT array_agg(id ORDER BY id) AS ids, array_agg(place ORDER BY id) AS places,
         array_agg(hold_id ORDER BY id) AS holds FROM next
), released AS (
  UPDATE work w SET fence = w.fence + 1, hold_id = NULL, updated_at = now(),
         due_at = now() + (${ofSorted('places')} - 1) * interval '1 second' / ${RELEASED_PER_SECOND}
   WHERE w.id = ANY (ARRAY(SELECT id FROM next)) AND w.hold_id IS NOT DISTINCT FROM ${ofSorted('holds')}
  RETURNING w.id
), paced AS (
  UPDATE hold h SET released_at = now(), released_to = n.due_at
    FROM (SELECT hold_id, max(due_at) AS due_at FROM next GROUP BY 1) n WHERE h.id = n.hold_id
), ended AS (
  DELETE FROM hold h USING resumed r
   WHERE h.id = r.id AND NOT EXISTS (SELECT 1 FROM found f WHERE f.hold_id = h.id)
)
SELECT count(*)::int AS count FROM released`;
