import { OFFER_MS, TRIGGER_LEASE_MS } from '../../leases';

/** `'' || state` keeps the planner on the primary key (see step-claim.sql.ts). $4: also those of a crashed engine. */
export const CLAIM_TRIGGERS = `
WITH picked AS MATERIALIZED (
  SELECT id FROM trigger
   WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND '' || state IN ('accepted', 'running')
     AND (lease_until IS NULL OR lease_until <= now()) AND (crash_count = 0 OR $4)
   ORDER BY id FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE trigger t SET fence = t.fence + 1, crash_count = t.crash_count + 1,
                       lease_until = now() + interval '${TRIGGER_LEASE_MS} milliseconds'
    FROM picked WHERE t.id = picked.id
  RETURNING t.id, t.environment_id, t.transaction_id, t.workflow_id, t.workflow_version, t.recipients, t.payload,
            t.overrides, t.actor, t.tenant, t.context, t.cursor, t.fence, t.crash_count, t.created_at,
            t.traceparent, t.tracestate
)
SELECT c.id, c.environment_id AS "environmentId", c.transaction_id AS "transactionId", c.workflow_id AS "workflowId",
       c.workflow_version AS "workflowVersion", w.updated_at AS "workflowUpdatedAt", c.recipients, c.payload,
       c.overrides, c.actor, c.tenant, c.context, c.cursor, c.fence, c.crash_count AS "crashCount",
       c.created_at AS "createdAt",
       CASE WHEN c.traceparent IS NOT NULL
            THEN json_build_object('traceparent', c.traceparent, 'tracestate', c.tracestate) END AS trace
  FROM claimed c JOIN workflow w ON w.id = c.workflow_id
 ORDER BY c.id`;

export const FIND_SUSPECT_TRIGGERS = `
SELECT id FROM trigger
 WHERE id = ANY ($1::uuid[]) AND state IN ('accepted', 'running') AND crash_count > 0
   AND (lease_until IS NULL OR lease_until <= now())`;

/** The profile of a subscriber, without absent fields. */
const SHOWN_PROFILE = `jsonb_strip_nulls(jsonb_build_object(
         'firstName', first_name, 'lastName', last_name, 'email', email, 'phone', phone, 'avatar', avatar,
         'locale', locale, 'timezone', timezone, 'data', data))`;

/**
 * $1 are the recipients, $2 the subscriberIds of actors. A field that the trigger gives replaces the stored one, also
 * when it is null; the keys of the profile are compared with the row under the names of its columns.
 */
export const RESOLVE_RECIPIENTS = `
WITH input AS MATERIALIZED (
  SELECT i.*, s.id AS known,
         s.id IS NULL OR (i.profile IS NOT NULL AND i.profile <> '{}' AND NOT to_jsonb(s) @> (
           SELECT coalesce(jsonb_object_agg(CASE key WHEN 'firstName' THEN 'first_name'
                                                     WHEN 'lastName' THEN 'last_name' ELSE key END, value), '{}')
             FROM jsonb_each(i.profile))) AS changes
    FROM json_to_recordset($1::json) AS i ("environmentId" uuid, "subscriberId" text, "newId" uuid, profile jsonb)
    LEFT JOIN subscriber s ON s.environment_id = i."environmentId" AND s.subscriber_id = i."subscriberId"
), made AS (
  INSERT INTO subscriber AS t (id, environment_id, subscriber_id, first_name, last_name, email, phone, avatar, locale,
                               timezone, data)
  SELECT "newId", "environmentId", "subscriberId", profile ->> 'firstName', profile ->> 'lastName',
         profile ->> 'email', profile ->> 'phone', profile ->> 'avatar', profile ->> 'locale',
         profile ->> 'timezone', nullif(profile -> 'data', 'null')
    FROM input WHERE known IS NULL ORDER BY "environmentId", "subscriberId"
  -- A concurrent statement created the row: the fields given here replace its values.
  ON CONFLICT (environment_id, subscriber_id) DO UPDATE SET
    first_name = coalesce(excluded.first_name, t.first_name), last_name = coalesce(excluded.last_name, t.last_name),
    email = coalesce(excluded.email, t.email), phone = coalesce(excluded.phone, t.phone),
    avatar = coalesce(excluded.avatar, t.avatar), locale = coalesce(excluded.locale, t.locale),
    timezone = coalesce(excluded.timezone, t.timezone), data = coalesce(excluded.data, t.data)
  RETURNING t.*
), changed AS (
  UPDATE subscriber t SET
    first_name = CASE WHEN i.profile ? 'firstName' THEN i.profile ->> 'firstName' ELSE t.first_name END,
    last_name = CASE WHEN i.profile ? 'lastName' THEN i.profile ->> 'lastName' ELSE t.last_name END,
    email = CASE WHEN i.profile ? 'email' THEN i.profile ->> 'email' ELSE t.email END,
    phone = CASE WHEN i.profile ? 'phone' THEN i.profile ->> 'phone' ELSE t.phone END,
    avatar = CASE WHEN i.profile ? 'avatar' THEN i.profile ->> 'avatar' ELSE t.avatar END,
    locale = CASE WHEN i.profile ? 'locale' THEN i.profile ->> 'locale' ELSE t.locale END,
    timezone = CASE WHEN i.profile ? 'timezone' THEN i.profile ->> 'timezone' ELSE t.timezone END,
    data = CASE WHEN i.profile ? 'data' THEN nullif(i.profile -> 'data', 'null') ELSE t.data END,
    updated_at = now(), version = t.version + 1
    FROM input i WHERE t.id = i.known AND i.changes
  RETURNING t.*
), resolved AS (
  SELECT * FROM made UNION ALL SELECT * FROM changed
  UNION ALL
  SELECT s.* FROM input JOIN subscriber s ON s.id = input.known WHERE NOT changes
)
SELECT environment_id AS "environmentId", subscriber_id AS "subscriberId", id, avatar,
       CASE WHEN subscriber_id = ANY ($2::text[]) THEN ${SHOWN_PROFILE} END AS profile
  FROM resolved`;

/** $2 are the topic keys, $3 the subscriber of the cursor, $4 the size of the page. */
export const LIST_TOPIC_MEMBERS = `
WITH topics AS MATERIALIZED (
  SELECT id, key FROM topic WHERE environment_id = $1 AND key = ANY ($2::text[])
), page AS MATERIALIZED (
  SELECT DISTINCT m.subscriber_id
    FROM topics CROSS JOIN LATERAL (
      SELECT subscriber_id FROM topic_subscription
       WHERE topic_id = topics.id AND subscriber_id > $3::uuid ORDER BY subscriber_id LIMIT $4) m
   ORDER BY 1 LIMIT $4
), subscriptions AS (
  SELECT ts.subscriber_id,
         jsonb_agg(DISTINCT jsonb_build_object('_topicId', topics.id, 'topicKey', topics.key)) AS topics,
         jsonb_agg(ts.preferences) AS preferences
    FROM page JOIN topic_subscription ts ON ts.subscriber_id = page.subscriber_id
    JOIN topics ON topics.id = ts.topic_id
   GROUP BY 1
)
SELECT s.id, s.subscriber_id AS "subscriberId", t.topics, t.preferences,
       CASE WHEN t.preferences <> '[null]' THEN ${SHOWN_PROFILE} END AS profile,
       CASE WHEN (SELECT count(*) FROM page) = $4 THEN (SELECT max(subscriber_id::text) FROM page) END AS last
  FROM subscriptions t JOIN subscriber s ON s.id = t.subscriber_id AND s.environment_id = $1
 ORDER BY s.id`;

/** $2 is the subscriber of the cursor, $3 the size of the page. */
export const LIST_SUBSCRIBERS = `
WITH page AS MATERIALIZED (
  SELECT id, subscriber_id FROM subscriber WHERE environment_id = $1 AND id > $2::uuid ORDER BY id LIMIT $3
)
SELECT id, subscriber_id AS "subscriberId", '[]'::jsonb AS topics, '[]'::jsonb AS preferences,
       CASE WHEN (SELECT count(*) FROM page) = $3 THEN (SELECT max(id::text) FROM page) END AS last
  FROM page ORDER BY id`;

/** $1 are the triggers, $2 the notifications, $3 the steps, $4 and $5 the status and text of "Step queued". */
export const COMMIT_PAGE = `
WITH held AS (
  UPDATE trigger t SET
    state = i.state, cursor = i.cursor, error = i.error, crash_count = 0, updated_at = now(),
    lease_until = CASE WHEN i.state = 'running' THEN now() + interval '${TRIGGER_LEASE_MS} milliseconds' END
    FROM json_to_recordset($1::json) AS i (id uuid, fence int, state text, cursor jsonb, error text, actor jsonb,
      channels jsonb, tags jsonb, severity text, critical boolean, "contextKeys" jsonb)
   WHERE t.id = i.id AND t.fence = i.fence AND '' || t.state IN ('accepted', 'running')
  RETURNING t.id, t.environment_id, t.transaction_id, t.workflow_id, t.workflow_version, t.payload, t.overrides,
            t.controls, coalesce(i.actor, t.actor) AS actor, t.tenant, t.traceparent, t.tracestate,
            ARRAY(SELECT jsonb_array_elements_text(i.channels)) AS channels,
            ARRAY(SELECT jsonb_array_elements_text(i.tags)) AS tags, i.severity, i.critical,
            CASE WHEN i."contextKeys" IS NOT NULL
                 THEN ARRAY(SELECT jsonb_array_elements_text(i."contextKeys")) END AS context_keys
), notifications AS (
  INSERT INTO notification (id, environment_id, trigger_id, transaction_id, workflow_id, workflow_version,
                            subscriber_id, channels, "to", payload, overrides, controls, actor, tenant, tags, topics,
                            topic_keys, severity, critical, context_keys, traceparent, tracestate)
  SELECT i.id, h.environment_id, h.id, h.transaction_id, h.workflow_id, h.workflow_version, i."subscriberId",
         h.channels, i."to", h.payload, h.overrides, h.controls, h.actor, h.tenant, h.tags, i.topics,
         CASE WHEN i."topicKeys" IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(i."topicKeys")) END,
         h.severity, h.critical, h.context_keys, h.traceparent, h.tracestate
    FROM json_to_recordset($2::json) AS i (id uuid, "triggerId" uuid, "subscriberId" uuid, "to" jsonb, topics jsonb,
                                           "topicKeys" jsonb)
    JOIN held h ON h.id = i."triggerId"
), steps AS (
  SELECT i.*, h.environment_id, h.transaction_id
    FROM json_to_recordset($3::json) AS i (id uuid, "triggerId" uuid, "notificationId" uuid, "subscriberId" uuid,
      position smallint, "stepKey" text, type text, "providerId" text, state text, "nextStepId" uuid, overrides jsonb,
      "detailId" uuid)
    JOIN held h ON h.id = i."triggerId"
), inserted AS (
  INSERT INTO step (id, environment_id, notification_id, transaction_id, subscriber_id, position, step_key, type,
                    provider_id, state, due_at, offered_until, next_step_id, overrides)
  SELECT id, environment_id, "notificationId", transaction_id, "subscriberId", position, "stepKey", type,
         "providerId", state, CASE WHEN state = 'queued' THEN now() END,
         CASE WHEN state = 'queued' THEN now() + interval '${OFFER_MS} milliseconds' END, "nextStepId", overrides
    FROM steps
), details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail)
  SELECT "detailId", environment_id, "notificationId", id, $4::text, $5::text FROM steps WHERE "detailId" IS NOT NULL
)
SELECT id FROM held`;

export const RELEASE_TRIGGERS = `
UPDATE trigger t SET lease_until = NULL, offered_until = NULL, crash_count = greatest(crash_count - 1, 0)
  FROM unnest($1::uuid[], $2::int[]) AS i (id, fence) WHERE t.id = i.id AND t.fence = i.fence`;

export const ADD_STEP_WARNINGS = `
INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, source, raw)
SELECT uuid_v7(), t.environment_id, t.notification_id, t.id, 'Warning', $3, 'Payload', i.raw
  FROM unnest($1::uuid[], $2::text[]) AS i (step_id, raw) JOIN step t ON t.id = i.step_id`;

export const MARK_TRIGGERED = `
UPDATE workflow SET last_triggered_at = now()
 WHERE id = ANY ($1) AND (last_triggered_at IS NULL OR last_triggered_at < now() - interval '1 minute')`;
