import { LIMITS } from '@clarion/contracts/core';
import { Message, Notification } from '../entities';
import { columnsOf, type ListedColumns, listedColumns, withoutLargeValues } from '../sql/page-bytes';
import { DETAIL_ORDER, SHOWN_DETAILS, shownSteps, spanOf } from './activity.sql';
import { endReasonOf } from './outcomes.sql';

export const SENT_COLUMNS = listedColumns(Message, {
  ...{ content: `'""'`, title: 'NULL', subject: 'NULL', data: 'NULL', overrides: 'NULL', cta: 'NULL' },
});

/** A step of a version without what its author wrote. */
const WITHOUT_CONTENTS = `
  (step - '{controlValues,variants,filters,issues}'::text[])
  || '{"leftOut": ["controlVariables", "variants", "filters", "issues"]}'`;

/** What callers wrote. */
const LARGE = { payload: 'NULL', overrides: 'NULL', controls: 'NULL', tenant: 'NULL', actor: 'NULL', to: 'NULL' };
const OWN_COLUMNS = columnsOf(Notification).filter((column) => column !== 'tags' && column !== 'updated_at');
const LISTED: ListedColumns = {
  large: LARGE,
  others: [
    ...OWN_COLUMNS.filter((column) => !Object.hasOwn(LARGE, column)),
    ...['tags', 'updated_at', 'transaction_id', 'workflow_version', 'traceparent', 'tracestate'],
    ...['subscriber', 'workflow', 'steps', 'details'],
  ],
};

/** The digest of a step, without its events if they are more than its share of the page. */
const DIGEST = `
  CASE WHEN octet_length(digest::text) > share THEN (digest - 'events') || '{"eventsLeftOut": true}' ELSE digest END`;

/** What a detail was about, as far as that of all details of a notification fits into its share of the page. */
const RAW = `
  CASE WHEN raw IS NULL OR sum(octet_length(raw)) OVER (ORDER BY ${DETAIL_ORDER}) <= 4 * share THEN raw
       ELSE '{"leftOut":true}' END`;

/** Notifications with their steps and execution details; `ids` is a query with the environment as $1. */
export const describeNotifications = (ids: string): string =>
  withoutLargeValues(
    `WITH page AS MATERIALIZED (${ids}), digests AS MATERIALIZED (
       SELECT ${LIMITS.pageBytes} / greatest(count(*), 1) / 4 AS share FROM page)
     SELECT ${OWN_COLUMNS.map((column) => `n."${column}"`).join(', ')}, coalesce(n.tags, '{}') AS tags,
            coalesce(n.updated_at, n.created_at) AS updated_at, shared.*,
            to_jsonb(s) AS subscriber, to_jsonb(w) AS workflow,
            (SELECT json_agg(own) FROM (
               SELECT id, span.id AS "notificationId", step_key AS "stepKey", type, provider_id AS "providerId",
                      ${DIGEST} AS digest, schedule_extensions_count AS "scheduleExtensionsCount",
                      updated_at AS "updatedAt", state, ${endReasonOf('shown')} AS reason
                   FROM (${shownSteps()}) shown ORDER BY id) own) AS steps,
            (SELECT json_agg(own) FROM (
               SELECT id, $1::uuid AS "environmentId", span.id AS "notificationId", step_id AS "stepId",
                      message_id AS "messageId", status, detail, source, is_retry AS "isRetry",
                      is_test OR coalesce(shared."isTest", false) AS "isTest",
                      provider_id AS "providerId", ${RAW} AS raw, created_at AS "createdAt"
                 FROM (${SHOWN_DETAILS}) shown ORDER BY ${DETAIL_ORDER}) own) AS details
       FROM page
      CROSS JOIN digests
       JOIN notification n ON n.id = page.id AND n.environment_id = $1
      CROSS JOIN LATERAL ${spanOf('n.id')}
       LEFT JOIN LATERAL (
         SELECT transaction_id, workflow_version, payload, overrides, controls, tenant, traceparent, tracestate,
                is_test AS "isTest"
           FROM trigger WHERE environment_id = $1 AND id = n.trigger_id LIMIT 1) shared ON true
       LEFT JOIN LATERAL (
         SELECT id, subscriber_id AS "subscriberId", first_name AS "firstName", last_name AS "lastName", email, phone
           FROM subscriber WHERE environment_id = $1 AND id = n.subscriber_id) s ON true
       LEFT JOIN LATERAL (
         SELECT id, workflow_id AS "workflowId", name, origin, variables
           FROM workflow WHERE environment_id = $1 AND id = n.workflow_id) w ON true
      ORDER BY n.id DESC`,
    LISTED,
  );

/** Large versions come without the contents of large steps, as every notification repeats them; $4 is a share. */
export const VERSION_STEPS = `
  SELECT v.workflow_id, v.version, CASE WHEN octet_length(v.steps::text) <= $4 THEN v.steps ELSE (
           SELECT jsonb_agg(CASE WHEN octet_length(step::text) <= $4 / ${LIMITS.stepsPerWorkflow} THEN step
                                 ELSE ${WITHOUT_CONTENTS} END ORDER BY place)
             FROM jsonb_array_elements(v.steps) WITH ORDINALITY AS each (step, place)) END AS steps
    FROM (SELECT DISTINCT * FROM unnest($2::uuid[], $3::int[])) AS wanted (workflow_id, version)
    JOIN workflow_version v
      ON v.workflow_id = wanted.workflow_id AND v.version = wanted.version AND v.environment_id = $1`;
