import { EXECUTION_DETAILS, LIMITS } from '@clarion/contracts/core';
import { openSteps, SHOWN_DETAILS, shownSteps, spanOf } from '../history/activity.sql';
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
    FROM (${matching}) m
   CROSS JOIN LATERAL (SELECT ended_at FROM step WHERE environment_id = $1 AND id = m.id LIMIT 1) s`;

/** The notifications of a cancellation, of those with the ids: that have an open step and no provider is called. */
export const notificationItems = (ids: string): string => `
  SELECT n.id, n.id AS notification_id, NULL::uuid AS step_id, NULL::timestamptz AS ended_at
    FROM notification n
   WHERE n.environment_id = $1 AND n.id = ANY (${ids}::uuid[])
     AND EXISTS (SELECT 1 FROM ${spanOf('n.id')}
                  CROSS JOIN LATERAL ${openSteps('span', ' AND sending_since IS NULL')} w)`;

/** Stores the items of a page, at most `limit`, and adds them to their action; both are SQL of parameters. */
export const freezePage = (items: string, action: string, limit: string): string => `
WITH matched AS MATERIALIZED (${items} LIMIT ${limit} + 1
), taken AS MATERIALIZED (
  SELECT m.*, ${MAY_HAVE_REACHED} AS doubtful FROM (SELECT * FROM matched LIMIT ${limit}) m
), stored AS (
  INSERT INTO bulk_action_item (bulk_action_id, id, environment_id, ended_at)
  SELECT ${action}, id, $1, ended_at FROM taken
)
UPDATE bulk_action
   SET count = bulk_action.count + page.count, notifications = bulk_action.notifications + page.notifications,
       may_be_duplicates = bulk_action.may_be_duplicates + page.doubtful,
       has_more = bulk_action.has_more OR page.has_more,
       duplicate_sample = (duplicate_sample || page.sample)[1:${LIMITS.bulkActionSample}]
  FROM (SELECT count(*) AS count, count(DISTINCT notification_id) AS notifications,
               count(*) FILTER (WHERE doubtful) AS doubtful, (SELECT count(*) FROM matched) > ${limit} AS has_more,
               ARRAY(SELECT DISTINCT notification_id FROM taken WHERE doubtful ORDER BY 1
                      LIMIT ${LIMITS.bulkActionSample}) AS sample
          FROM taken) page
 WHERE environment_id = $1 AND id = ${action}
RETURNING bulk_action.*`;

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
  LEFT JOIN LATERAL (SELECT state FROM (${shownSteps()}) shown WHERE shown.id = i.id LIMIT 1) s ON true`;

/** Why the notifications $2 could not be canceled. */
export const WHY_NOT_CANCELED = `
SELECT i.id, CASE WHEN EXISTS (SELECT 1 FROM ${openSteps('span', ' AND sending_since IS NOT NULL')} w) THEN 'sending'
                  WHEN (SELECT true FROM notification n WHERE n.environment_id = $1 AND n.id = i.id LIMIT 1)
                  THEN 'ended'
                  ELSE 'deleted' END AS reason
  FROM unnest($2::uuid[]) AS i (id) CROSS JOIN LATERAL ${spanOf('i.id')}`;
