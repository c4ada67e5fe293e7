import { isoTime } from '../../iso-time';

/** Traces that a digest links to. More do not fit into the links of a span. */
const DIGEST_TRACES = 128;

/**
 * Opens the window of each key or joins the open one. $1 are the requests, $2 and $3 the status and text of the detail
 * of a step that opens a window, $4 and $5 those of a step that joins one.
 */
export const OPEN_OR_JOIN_DIGESTS = `
WITH input AS MATERIALIZED (
  SELECT i.* FROM json_to_recordset($1::json) AS i (id uuid, fence int, "environmentId" uuid, "workflowId" uuid,
    "stepKey" text, "subscriberId" uuid, "notificationId" uuid, "digestKey" text, "dueAt" timestamptz, digest jsonb)
    JOIN step t ON t.id = i.id AND t.fence = i.fence AND t.state = 'queued'
), opened AS (
  INSERT INTO open_digest AS o (environment_id, workflow_id, step_key, subscriber_id, digest_key, step_id,
    notification_id)
  SELECT DISTINCT ON ("environmentId", "workflowId", "stepKey", "subscriberId", "digestKey")
         "environmentId", "workflowId", "stepKey", "subscriberId", "digestKey", id, "notificationId"
    FROM input ORDER BY "environmentId", "workflowId", "stepKey", "subscriberId", "digestKey", id
  -- The assignment changes nothing. It locks an existing row and returns it.
  ON CONFLICT ON CONSTRAINT open_digest_pkey DO UPDATE SET step_id = o.step_id
  RETURNING o.*
), requests AS (
  SELECT i.*, o.step_id AS master_id, o.notification_id AS master_notification_id, o.step_id = i.id AS opens
    FROM input i JOIN opened o ON o.environment_id = i."environmentId" AND o.workflow_id = i."workflowId"
     AND o.step_key = i."stepKey" AND o.subscriber_id = i."subscriberId" AND o.digest_key = i."digestKey"
), steps AS (
  UPDATE step t SET
    state = CASE WHEN p.opens THEN 'delayed' ELSE 'merged' END,
    due_at = CASE WHEN p.opens THEN p."dueAt" ELSE NULL END,
    digest = p.digest, digest_master_id = CASE WHEN p.opens THEN NULL ELSE p.master_id END,
    attempt = 0, crash_count = 0, lease_until = NULL, offered_until = NULL, updated_at = now()
    FROM requests p WHERE t.id = p.id AND t.fence = p.fence
  RETURNING t.id, t.notification_id, t.environment_id, p.opens, p.digest, p."dueAt", t.position, p.master_id,
            p.master_notification_id
), later_steps AS (
  UPDATE step t SET state = 'merged', updated_at = now()
    FROM steps s WHERE NOT s.opens AND t.notification_id = s.notification_id AND t.position > s.position
     AND t.state = 'pending'
), notifications AS (
  UPDATE notification n SET digested_notification_id = s.master_notification_id, updated_at = now()
    FROM steps s WHERE NOT s.opens AND n.id = s.notification_id
), details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
  SELECT uuid_v7(), s.environment_id, s.notification_id, s.id, CASE WHEN s.opens THEN $2 ELSE $4 END,
         CASE WHEN s.opens THEN $3 ELSE $5 END,
         CASE WHEN s.opens
              THEN json_build_object('delay', floor(extract(epoch FROM s."dueAt" - now()) * 1000),
                                     'untilDate', ${isoTime('s."dueAt"')})
              ELSE json_build_object('digestStepId', s.master_id, 'notificationId', s.master_notification_id) END::text
    FROM steps s
)
SELECT id, opens AS opened FROM steps`;

/** The detail of steps ($1) that were skipped; $2 and $3 are its status and text. */
export const ADD_SKIPPED_DETAILS = `
INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail)
SELECT uuid_v7(), environment_id, notification_id, id, $2, $3 FROM step WHERE id = ANY ($1)`;

export const CLOSE_DIGESTS = `
DELETE FROM open_digest o USING unnest($1::uuid[], $2::int[]) AS i (id, fence), step t
 WHERE o.step_id = i.id AND t.id = i.id AND t.fence = i.fence AND t.state = 'delayed'`;

export const COLLECT_DIGESTS = `
SELECT master, count(*)::int AS count,
       (jsonb_agg(jsonb_build_object('id', id, 'time', time, 'payload', payload) ORDER BY trigger_id, id)
         FILTER (WHERE number <= $2)) AS events,
       array_agg(traceparent) FILTER (WHERE traceparent IS NOT NULL AND number <= ${DIGEST_TRACES}) AS traceparents
  FROM (SELECT coalesce(t.digest_master_id, t.id) AS master, t.id, n.trigger_id, n.payload, n.traceparent,
               ${isoTime('t.created_at')} AS time,
               row_number() OVER (PARTITION BY coalesce(t.digest_master_id, t.id) ORDER BY n.trigger_id, t.id) AS number
          FROM step t JOIN notification n ON n.id = t.notification_id
         WHERE t.id = ANY ($1) OR (t.digest_master_id = ANY ($1) AND t.state = 'merged')) members
 GROUP BY master`;
