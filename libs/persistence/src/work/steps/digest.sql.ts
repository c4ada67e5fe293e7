import { countOutcomes } from '../../history/count-outcomes.sql';
import { packedDetail } from '../../history/packed-details';

/** A time in the format of all responses. JSON made by Postgres has `+00:00` instead of `Z`. */
const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Traces that a digest links to. More do not fit into the links of a span. */
const DIGEST_TRACES = 128;

/**
 * Opens the window of each key or joins the open one. $1 are the requests, $2 and $3 the status and text of the detail
 * of a step that opens a window, $4 and $5 those of a step that joins one. A step that joins has ended, and the steps
 * behind it with it.
 */
export const OPEN_OR_JOIN_DIGESTS = `
WITH input AS MATERIALIZED (
  SELECT i.* FROM json_to_recordset($1::json) AS i (id uuid, fence int, "environmentId" uuid, "workflowId" uuid,
    "stepKey" text, "subscriberId" uuid, "digestKey" text, "dueAt" timestamptz, digest jsonb)
    JOIN work w ON w.id = i.id AND w.fence = i.fence
   WHERE w.id = ANY (ARRAY(SELECT r.id FROM json_to_recordset($1::json) AS r (id uuid)))
), windows AS (
  INSERT INTO open_digest AS o (environment_id, workflow_id, step_key, subscriber_id, digest_key, step_id)
  SELECT DISTINCT ON ("environmentId", "workflowId", "stepKey", "subscriberId", "digestKey")
         "environmentId", "workflowId", "stepKey", "subscriberId", "digestKey", id
    FROM input ORDER BY "environmentId", "workflowId", "stepKey", "subscriberId", "digestKey", id
  -- The assignment changes nothing. It locks an existing row and returns it.
  ON CONFLICT ON CONSTRAINT open_digest_pkey DO UPDATE SET step_id = o.step_id
  RETURNING o.*
), requests AS (
  SELECT i.*, o.step_id AS master_id, o.step_id = i.id AS opens
    FROM input i JOIN windows o ON o.environment_id = i."environmentId" AND o.workflow_id = i."workflowId"
     AND o.step_key = i."stepKey" AND o.subscriber_id = i."subscriberId" AND o.digest_key = i."digestKey"
), opened AS (
  UPDATE work w SET
    is_delayed = true, due_at = r."dueAt",
    progress = coalesce(w.progress, '{}') - 'limit' - 'noted' || jsonb_build_object('digest', r.digest),
    waiting_since = NULL,
    fence = w.fence + 1, attempt = 0, crash_count = 0, claim_id = NULL, offered_at = NULL, was_offered_again = false,
    updated_at = now()
    FROM requests r
   WHERE r.opens AND w.id = r.id AND w.fence = r.fence AND w.id = ANY (ARRAY(SELECT id FROM input))
  RETURNING w.id, w.environment_id, w.notification_id, w.due_at
), joined AS (
  DELETE FROM work w USING requests r
   WHERE NOT r.opens AND w.id = r.id AND w.fence = r.fence AND w.id = ANY (ARRAY(SELECT id FROM input))
  RETURNING w.id, w.environment_id, w.notification_id, w.queued_at, w.type, w.step_key, w.later_steps, w.workflow_id,
            r.digest, r.master_id
), merged AS (
  INSERT INTO step (id, environment_id, queued_at, state, type, step_key, digest, digest_master_id, details)
  SELECT id, environment_id, queued_at, 'merged', type, step_key, digest, master_id,
         ${packedDetail(
           '$4::text',
           '$5::text',
           `json_build_object('digestStepId', master_id, 'notificationId', notification_of(master_id))`,
         )}
    FROM joined
  UNION ALL
  SELECT step_id(notification_id, (l ->> 0)::int), environment_id, NULL, 'merged', l ->> 2, l ->> 1, NULL, NULL, NULL
    FROM joined CROSS JOIN LATERAL jsonb_array_elements(later_steps) l
), counted AS (${countOutcomes(`
  SELECT environment_id, workflow_id, id, l ->> 2 AS type, 'skipped' AS outcome
    FROM joined CROSS JOIN LATERAL jsonb_array_elements(later_steps) l`)}
), notifications AS (
  UPDATE notification n SET digested_notification_id = notification_of(j.master_id), updated_at = now()
    FROM joined j WHERE n.environment_id = j.environment_id AND n.id = j.notification_id
), details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
  SELECT uuid_v7(), environment_id, notification_id, id, $2::text, $3::text,
         json_build_object('delay', floor(extract(epoch FROM due_at - now()) * 1000),
                           'untilDate', ${isoTime('due_at')})::text
    FROM opened
)
SELECT id, true AS opened FROM opened UNION ALL SELECT id, false FROM joined`;

export const CLOSE_DIGESTS = `
DELETE FROM open_digest o USING unnest($1::uuid[], $2::int[]) AS i (id, fence), work w
 WHERE o.step_id = i.id AND w.id = i.id AND w.fence = i.fence AND w.is_delayed`;

/**
 * The events of the steps that opened the windows ($1), which are still open, and of the steps that joined them: the
 * first $2 events of each window, as far as their payloads are at most $3 bytes long together, and always the first
 * one. The walk over a window ends where its bytes do, so Postgres reads no payload behind it. Windows whose
 * predecessors have so many bytes already are counted, but have no events here: they are read by another statement.
 */
export const COLLECT_DIGESTS = `
WITH members AS (
  SELECT w.id AS master, w.id, w.trigger_id, w.notification_id, w.environment_id
    FROM work w WHERE w.id = ANY ($1::uuid[])
  UNION ALL
  SELECT s.digest_master_id, s.id, n.trigger_id, n.id, n.environment_id
    FROM step s JOIN notification n ON n.environment_id = s.environment_id AND n.id = notification_of(s.id)
   WHERE s.digest_master_id = ANY ($1::uuid[]) AND s.state = 'merged'
), numbered AS MATERIALIZED (
  SELECT m.master, m.id, m.trigger_id, t.traceparent, ${isoTime('n.created_at')} AS time,
         row_number() OVER (PARTITION BY m.master ORDER BY m.trigger_id, m.id) AS number
    FROM members m
    JOIN notification n ON n.environment_id = m.environment_id AND n.id = m.notification_id
    JOIN trigger t ON t.id = m.trigger_id
), windows AS MATERIALIZED (
  SELECT master, count(*)::int AS count,
         array_agg(trigger_id ORDER BY number) FILTER (WHERE number <= $2::int) AS trigger_ids,
         array_agg(traceparent) FILTER (WHERE traceparent IS NOT NULL AND number <= ${DIGEST_TRACES}) AS traceparents
    FROM numbered GROUP BY master
), measured AS MATERIALIZED (
  SELECT w.master, w.count, w.traceparents, fitting.number AS last, sum(fitting.bytes) OVER before AS bytes_before
    FROM windows w CROSS JOIN LATERAL (
      WITH RECURSIVE walk AS (
        SELECT 0 AS number, 0::bigint AS bytes
        UNION ALL
        SELECT k.number + 1, k.bytes + octet_length(t.payload::text)
          FROM walk k CROSS JOIN LATERAL (
            SELECT payload FROM trigger WHERE id = w.trigger_ids[k.number + 1] LIMIT 1) t
         WHERE k.bytes < $3::bigint
      )
      SELECT number, bytes FROM walk WHERE bytes <= $3::bigint OR number = 1 ORDER BY number DESC LIMIT 1) fitting
  WINDOW before AS (ORDER BY w.master ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT w.master, w.count, w.traceparents, w.bytes_before < $3::bigint IS NOT FALSE AS "isRead",
       jsonb_agg(jsonb_build_object('id', n.id, 'time', n.time, 'payload', t.payload) ORDER BY n.number)
         FILTER (WHERE n.id IS NOT NULL) AS events
  FROM measured w
  LEFT JOIN numbered n ON n.master = w.master AND n.number <= w.last AND w.bytes_before < $3::bigint IS NOT FALSE
  LEFT JOIN LATERAL (SELECT payload FROM trigger WHERE id = n.trigger_id LIMIT 1) t ON true
 GROUP BY w.master, w.count, w.traceparents, w.bytes_before`;
