import { LEASE_MS } from '../leases';
import { claimOf, fittingRows } from '../claims.sql';
import { COUNT_ACCEPTED } from '../../history/count-outcomes.sql';
import { joinVersion } from '../orphans';

/** A trigger is due when it is accepted. Its payload is for the conditions of members of topics, and nothing else. */
export const CLAIM_TRIGGERS = claimOf({
  condition: `'' || w.type = 'trigger'`,
  columns: `c.id, c.environment_id AS "environmentId", t.transaction_id AS "transactionId",
       t.workflow_id AS "workflowId", t.workflow_version AS "workflowVersion",
       date_part('epoch', w.updated_at) * 1000 AS "workflowUpdatedAt", t.recipients,
       CASE WHEN t.recipients @> '[{"type": "Topic"}]' THEN t.payload ELSE '{}' END AS payload, t.overrides,
       t.actor, t.tenant, t.context, c.progress -> 'cursor' AS cursor, c.fence,
       c.lane, c.crash_count + 1 AS "crashCount",
       round(date_part('epoch', t.created_at) * 1000) AS "createdAtMs", t.traceparent, t.tracestate,
       CASE WHEN t.id IS NULL THEN 'event' WHEN v.version IS NULL THEN 'workflow version' END AS gone`,
  tables: `picked c LEFT JOIN trigger t ON t.id = c.id LEFT JOIN workflow w ON w.id = t.workflow_id
    ${joinVersion('t.workflow_id')}`,
  own: ['recipients', 'payload', 'overrides', 'actor', 'context'],
  shared: [],
});

/** The profile of a subscriber, without absent fields. */
const SHOWN_PROFILE = `jsonb_strip_nulls(jsonb_build_object(
         'firstName', first_name, 'lastName', last_name, 'email', email, 'phone', phone, 'avatar', avatar,
         'locale', locale, 'timezone', timezone, 'data', data))`;

/** $2 are the subscriberIds of actors. */
const PROFILE_OF_ACTOR = `CASE WHEN subscriber_id = ANY ($2::text[]) THEN ${SHOWN_PROFILE} END`;

/**
 * $1 and $3 to $5 are the environments, subscriberIds, ids of new rows and profiles (NULL without a field) of the
 * recipients, $2 the subscriberIds of actors. A field that the trigger gives replaces the stored one, also when it is
 * null; the keys of the profile are compared with the row under the names of its columns.
 */
export const RESOLVE_RECIPIENTS = `
WITH input AS MATERIALIZED (
  SELECT i.*, s.id AS known, s.avatar, ${PROFILE_OF_ACTOR} AS shown,
         s.id IS NULL OR (i.profile IS NOT NULL AND NOT to_jsonb(s) @> (
           SELECT coalesce(jsonb_object_agg(CASE key WHEN 'firstName' THEN 'first_name'
                                                     WHEN 'lastName' THEN 'last_name' ELSE key END, value), '{}')
             FROM jsonb_each(i.profile))) AS changes
    FROM (SELECT "environmentId", "subscriberId", "newId", profile::jsonb AS profile
            FROM unnest($1::uuid[], $3::text[], $4::uuid[], $5::text[])
              AS a ("environmentId", "subscriberId", "newId", profile)) i
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
)
SELECT "environmentId", "subscriberId", known AS id, avatar, shown AS profile FROM input WHERE NOT changes
UNION ALL
SELECT environment_id, subscriber_id, id, avatar, ${PROFILE_OF_ACTOR}
  FROM (SELECT * FROM made UNION ALL SELECT * FROM changed) written`;

/** $2 are the topic keys, $3 the subscriber of the cursor, $4 the size of the page, which may have fewer rows. */
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
), found AS MATERIALIZED (
  SELECT s.id, s.subscriber_id AS "subscriberId", t.topics, t.preferences,
         CASE WHEN t.preferences <> '[null]' THEN ${SHOWN_PROFILE} END AS profile
    FROM subscriptions t JOIN subscriber s ON s.id = t.subscriber_id AND s.environment_id = $1
), fitting AS MATERIALIZED (${fittingRows(['preferences', 'profile'])}
)
SELECT id, "subscriberId", topics, preferences, profile,
       CASE WHEN found_rows > count(*) OVER () THEN max(id::text) OVER ()
            WHEN (SELECT count(*) FROM page) = $4 THEN (SELECT max(subscriber_id::text) FROM page) END AS last
  FROM fitting ORDER BY id`;

/** The payload of the trigger $1 of the environment $2. */
export const PAYLOAD = `SELECT payload FROM trigger WHERE id = $1 AND environment_id = $2`;

/** $2 is the subscriber of the cursor, $3 the size of the page. */
export const LIST_SUBSCRIBERS = `
WITH page AS MATERIALIZED (
  SELECT id, subscriber_id FROM subscriber WHERE environment_id = $1 AND id > $2::uuid ORDER BY id LIMIT $3
)
SELECT id, subscriber_id AS "subscriberId", '[]'::jsonb AS topics, '[]'::jsonb AS preferences,
       CASE WHEN (SELECT count(*) FROM page) = $3 THEN (SELECT max(id::text) FROM page) END AS last
  FROM page ORDER BY id`;

/** Deletes the open rows of triggers. $1 are the plans, $2 to $4 the ids, fences and plans of triggers. */
const END_TRIGGERS = `held AS (
  DELETE FROM work w USING unnest($2::uuid[], $3::int[], $4::int[]) AS i (id, fence, plan)
   WHERE w.id = i.id AND w.fence = i.fence AND w.id = ANY ($2::uuid[])
  RETURNING w.id, w.environment_id, w.lane, i.plan
)`;

/** The same for triggers of which some have more pages: $11 are their cursors, or NULL, and $12 their claims. */
const END_OR_CONTINUE_TRIGGERS = `renewed AS (
  UPDATE claim SET lease_until = now() + interval '${LEASE_MS} milliseconds' WHERE id = ANY ($12::uuid[])
), input AS MATERIALIZED (
  SELECT * FROM unnest($2::uuid[], $3::int[], $4::int[], $11::text[], $12::uuid[])
                AS i (id, fence, plan, cursor, claim_id)
), ended AS (
  DELETE FROM work w USING input i
   WHERE i.cursor IS NULL AND w.id = i.id AND w.fence = i.fence AND w.id = ANY ($2::uuid[])
  RETURNING w.id, w.environment_id, w.lane, i.plan
), continued AS (
  UPDATE work w SET fence = w.fence + 1, crash_count = 0, claim_id = i.claim_id, updated_at = now(),
                    progress = jsonb_build_object('cursor', i.cursor::jsonb)
    FROM input i
   WHERE i.cursor IS NOT NULL AND w.id = i.id AND w.fence = i.fence AND w.id = ANY ($2::uuid[])
  RETURNING w.id, w.environment_id, w.lane, i.plan
), held AS (
  SELECT * FROM ended UNION ALL SELECT * FROM continued
)`;

/**
 * Writes notifications and opens their first steps. $5 to $9 are the ids, triggers, subscribers, addresses and topics
 * of the notifications, $10 the step types that announce "Step queued".
 */
const commitPage = (held: string): string => `
WITH ${held}, plans AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS p (plan int, "workflowId" uuid, channels text[], tags text[],
    severity text, critical boolean, "contextKeys" text[], actor jsonb, "stepKey" text, type text, "laterSteps" jsonb,
    counted jsonb)
), rows AS MATERIALIZED (
  SELECT i.*, h.environment_id, h.lane, p.*
    FROM unnest($5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::text[])
         AS i (id, trigger_id, subscriber_id, "to", topics)
    JOIN held h ON h.id = i.trigger_id JOIN plans p ON p.plan = h.plan
), notifications AS (
  INSERT INTO notification (id, environment_id, trigger_id, workflow_id, subscriber_id, critical, severity, channels,
                            tags, "to", actor, topics, topic_keys, context_keys)
  SELECT id, environment_id, trigger_id, "workflowId", subscriber_id, critical, severity, channels, tags, "to"::jsonb,
         actor, topics::jsonb,
         CASE WHEN topics IS NOT NULL
              THEN ARRAY(SELECT topic ->> 'topicKey' FROM jsonb_array_elements(topics::jsonb) topic) END, "contextKeys"
    FROM rows
), steps AS (
  INSERT INTO work (id, environment_id, trigger_id, notification_id, subscriber_id, queued_at, offered_at, type,
                    step_key, later_steps, workflow_id, lane)
  SELECT step_id(id, 0), environment_id, trigger_id, id, subscriber_id,
         CASE WHEN type = ANY ($10::text[]) THEN now() END, now(), type, "stepKey", "laterSteps",
         "workflowId", lane
    FROM rows WHERE type IS NOT NULL
), accepted AS (${COUNT_ACCEPTED}
)
SELECT id FROM held`;

/** A page that ends all its triggers. */
export const COMMIT_LAST_PAGE = commitPage(END_TRIGGERS);

/** A page with triggers that have more pages. */
export const COMMIT_PAGE = commitPage(END_OR_CONTINUE_TRIGGERS);

/** $1 are the ids, $2 the fences, $3 the errors. */
export const FAIL_TRIGGERS = `
WITH held AS (
  DELETE FROM work w USING unnest($1::uuid[], $2::int[], $3::text[]) AS i (id, fence, error)
   WHERE w.id = i.id AND w.fence = i.fence AND w.id = ANY ($1::uuid[])
  RETURNING w.id, i.error
)
UPDATE trigger t SET outcome = 'failed', error = h.error FROM held h WHERE t.id = h.id RETURNING t.id`;

/**
 * Ends triggers ($1, with fences $2) that cannot run, for a reason ($3). Where the trigger itself is gone, the audit
 * log of the environment is the only place that can have the reason.
 */
export const END_ORPHANS = `
WITH held AS (
  DELETE FROM work w USING unnest($1::uuid[], $2::int[], $3::text[]) AS i (id, fence, reason)
   WHERE w.id = i.id AND w.fence = i.fence AND w.id = ANY ($1::uuid[])
  RETURNING w.id, w.environment_id, i.reason
), failed AS (
  UPDATE trigger t SET outcome = 'failed', error = h.reason FROM held h WHERE t.id = h.id RETURNING t.id
)
INSERT INTO audit_log (id, organization_id, environment_id, actor_type, action, resource_type, resource_id, after)
SELECT uuid_v7(), e.organization_id, h.environment_id, 'system', 'trigger.ended', 'trigger', h.id,
       jsonb_build_object('reason', h.reason)
  FROM held h JOIN environment e ON e.id = h.environment_id WHERE h.id NOT IN (SELECT id FROM failed)`;

export const RELEASE_TRIGGERS = `
UPDATE work w SET
  fence = w.fence + 1, claim_id = NULL, offered_at = NULL, was_offered_again = false, updated_at = now(),
  due_at = CASE WHEN $3::float8 > 0 THEN now() + $3::float8 * interval '1 millisecond' ELSE w.due_at END
  FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
 WHERE w.id = i.id AND w.fence = i.fence AND w.id = ANY ($1::uuid[])`;

/** $1 are the steps, $2 the raw values, $3 the environments, $4 the text. */
export const ADD_STEP_WARNINGS = `
INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, source, raw)
SELECT uuid_v7(), i.environment_id, notification_of(i.step_id), i.step_id, 'Warning', $4, 'Payload', i.raw
  FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS i (step_id, raw, environment_id)`;

export const MARK_TRIGGERED = `
UPDATE workflow SET last_triggered_at = now()
 WHERE id = ANY ($1) AND (last_triggered_at IS NULL OR last_triggered_at < now() - interval '1 minute')`;
