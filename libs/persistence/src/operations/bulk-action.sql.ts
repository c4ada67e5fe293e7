import { EXECUTION_DETAILS, LIMITS } from '@clarion/contracts/core';
import { SHOWN_DETAILS, SHOWN_STEPS, spanOf } from '../history/activity.sql';
import { isRedacted } from '../history/redaction.sql';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The details which say that a message may have reached its provider although its step did not complete. */
const DOUBTFUL_DETAILS = [
  EXECUTION_DETAILS.sendingInterruptedHeld,
  EXECUTION_DETAILS.sendingInterruptedResent,
  EXECUTION_DETAILS.stepQuarantined,
  EXECUTION_DETAILS.messageSent,
].map(({ detail }) => literal(detail));

/** The raw data of a provider error after which the outcome of the call is unknown. */
const UNKNOWN_OUTCOME = literal('{"kind":"unknown-outcome"%');

/** Whether a message of the step `m.step_id`, or of an open step of `m.notification_id`, may have been sent. */
const MAY_HAVE_REACHED = `
  EXISTS (SELECT 1 FROM ${spanOf('m.notification_id')} CROSS JOIN LATERAL (${SHOWN_DETAILS}) d
           WHERE CASE WHEN m.step_id IS NULL
                      THEN EXISTS (SELECT 1 FROM work w WHERE w.environment_id = $1 AND w.id = d.step_id)
                      ELSE d.step_id = m.step_id END
             AND (d.detail IN (${DOUBTFUL_DETAILS.join(', ')}) OR d.raw LIKE ${UNKNOWN_OUTCOME}))`;

/** The steps of a replay: `matching` has their ids and those of their notifications. */
export const stepItems = (matching: string): string => `
  SELECT m.id, m.notification_id, m.id AS step_id, s.ended_at
    FROM (${matching}) m JOIN step s ON s.id = m.id AND s.environment_id = $1`;

/** The notifications of a cancellation, of those with the ids: that have an open step and no provider is called. */
export const notificationItems = (ids: string): string => `
  SELECT n.id, n.id AS notification_id, NULL::uuid AS step_id, NULL::timestamptz AS ended_at
    FROM notification n
   WHERE n.environment_id = $1 AND n.id = ANY (${ids}::uuid[])
     AND EXISTS (SELECT 1 FROM ${spanOf('n.id')} JOIN work w
                   ON w.environment_id = $1 AND w.id > span.id AND w.id <= span.last AND w.sending_since IS NULL)`;

type FrozenColumn = 'id' | 'action' | 'selected' | 'per_second' | 'has_more';

/** Stores the items and their action, in one statement and so in one snapshot. */
export const freeze = (items: string, columns: Record<FrozenColumn, string>): string => `
WITH matched AS MATERIALIZED (${items} LIMIT ${LIMITS.bulkActionItems + 1}
), taken AS MATERIALIZED (
  SELECT m.*, ${MAY_HAVE_REACHED} AS doubtful FROM (SELECT * FROM matched LIMIT ${LIMITS.bulkActionItems}) m
), stored AS (
  INSERT INTO bulk_action_item (bulk_action_id, id, environment_id, ended_at)
  SELECT ${columns.id}::uuid, id, $1, ended_at FROM taken
)
INSERT INTO bulk_action (id, environment_id, action, selected, per_second, has_more, count, notifications,
                         may_be_duplicates, duplicate_sample)
SELECT ${columns.id}::uuid, $1, ${columns.action}, ${columns.selected}, ${columns.per_second},
       ${columns.has_more} OR (SELECT count(*) FROM matched) > ${LIMITS.bulkActionItems},
       count(*), count(DISTINCT notification_id), count(*) FILTER (WHERE doubtful),
       ARRAY(SELECT DISTINCT notification_id FROM taken WHERE doubtful ORDER BY 1 LIMIT ${LIMITS.bulkActionSample})
  FROM taken
RETURNING *`;

/** Why the steps $2 could not be replayed. */
export const WHY_NOT_REPLAYED = `
SELECT i.id, CASE WHEN s.state IS NULL THEN 'deleted'
                  WHEN s.state IN ('queued', 'delayed', 'running', 'pending') THEN 'open'
                  WHEN EXISTS (SELECT 1 FROM notification n
                                WHERE n.environment_id = $1 AND n.id = span.id AND ${isRedacted('n.trigger_id')})
                  THEN 'redacted'
                  ELSE 'ended_again' END AS reason
  FROM unnest($2::uuid[]) AS i (id)
 CROSS JOIN LATERAL ${spanOf('notification_of(i.id)')}
  LEFT JOIN LATERAL (SELECT state FROM (${SHOWN_STEPS}) shown WHERE shown.id = i.id LIMIT 1) s ON true`;

/** Why the notifications $2 could not be canceled. */
export const WHY_NOT_CANCELED = `
SELECT i.id, CASE WHEN EXISTS (SELECT 1 FROM work w WHERE w.environment_id = $1 AND w.id > span.id
                                  AND w.id <= span.last AND w.sending_since IS NOT NULL) THEN 'sending'
                  WHEN EXISTS (SELECT 1 FROM notification n WHERE n.environment_id = $1 AND n.id = i.id) THEN 'ended'
                  ELSE 'deleted' END AS reason
  FROM unnest($2::uuid[]) AS i (id) CROSS JOIN LATERAL ${spanOf('i.id')}`;
