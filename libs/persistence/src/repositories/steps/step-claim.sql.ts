import { STEP_LEASE_MS } from '../../leases';

/*
 * The claims find rows by their ids. The planner rates the partial indexes over open rows as equally good, but these
 * indexes contain the whole backlog. The expression `'' || state` matches none of them, so the planner uses the
 * primary key.
 */

/** The columns of a claimed step (`t`) that the SELECT of a claim reads. */
const RETURNED_COLUMNS = `t.id, t.environment_id, t.notification_id, t.transaction_id, t.subscriber_id, t.position,
    t.step_key,
            t.type, t.state, t.next_step_id, t.overrides, t.digest, t.error, t.integration_id,
            t.schedule_extensions_count, t.attempt, t.fence, t.crash_count, t.sending_since IS NOT NULL AS in_doubt,
            coalesce(t.waiting_since, t.due_at) AS due_since`;

/**
 * The columns of `ClaimedStep` that are the same in every claim: of the step (`c`), its notification, subscriber and
 * workflow.
 */
const CLAIMED_COLUMNS = `c.id, c.environment_id AS "environmentId", c.notification_id AS "notificationId",
       c.transaction_id AS "transactionId", c.position, c.step_key AS "stepKey", c.type, c.state,
       c.next_step_id AS "nextStepId", c.overrides, c.digest, c.error, c.integration_id AS "integrationId",
       c.schedule_extensions_count AS "scheduleExtensionsCount", c.attempt, c.fence, c.crash_count AS "crashCount",
       c.in_doubt AS "inDoubt", clock_timestamp() AS now,
       (extract(epoch FROM clock_timestamp() - c.due_since) * 1000)::float8 AS "waitedMs",
       json_build_object('triggerId', n.trigger_id, 'workflowId', n.workflow_id, 'workflowVersion', n.workflow_version,
                         'payload', n.payload, 'overrides', n.overrides, 'actor', n.actor, 'tenant', n.tenant,
                         'severity', n.severity, 'critical', n.critical, 'contextKeys', n.context_keys, 'tags', n.tags,
                         'trace', CASE WHEN n.traceparent IS NOT NULL THEN
                           json_build_object('traceparent', n.traceparent, 'tracestate',
                             n.tracestate) END) AS notification,
       CASE WHEN s.id IS NOT NULL THEN
         json_build_object('id', s.id, 'subscriberId', s.subscriber_id, 'firstName', s.first_name,
                           'lastName', s.last_name, 'email', s.email, 'phone', s.phone, 'avatar', s.avatar,
                           'locale', s.locale, 'timezone', s.timezone, 'data', s.data, 'isOnline', s.is_online,
                           'lastOnlineAt', s.last_online_at) END AS subscriber,
       coalesce((SELECT json_agg(json_build_object('workflowId', p.workflow_id, 'contextKey', p.context_key,
                                                   'preferences', p.preferences, 'schedule', p.schedule))
                   FROM preference p
                  WHERE p.subscriber_id = c.subscriber_id AND p.environment_id = c.environment_id
                    AND (p.workflow_id IS NULL OR p.workflow_id = n.workflow_id)), '[]') AS preferences,
       CASE WHEN c.position > 0 THEN
         (SELECT json_object_agg(o.step_key, o.output) FROM step o
           WHERE o.notification_id = c.notification_id AND o.position < c.position AND o.output IS NOT NULL)
         END AS outputs,
       w.updated_at AS "workflowUpdatedAt"`;

/** Steps of a channel ($5) that needs no stored endpoints. The settings are read once for each environment. */
export const CLAIM_PLAIN_STEPS = `
WITH picked AS MATERIALIZED (
  SELECT id FROM step
   WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND '' || state = 'queued' AND type = $5 AND due_at <= now()
     AND (lease_until IS NULL OR lease_until <= now()) AND (crash_count = 0 OR $4)
   ORDER BY id FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE step t SET fence = t.fence + 1, attempt = t.attempt + 1, crash_count = t.crash_count + 1,
                    lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
    FROM picked WHERE t.id = picked.id
  RETURNING ${RETURNED_COLUMNS}
), settings AS MATERIALIZED (
  SELECT e.environment_id,
         (SELECT count(*) || ' ' || max(updated_at) FROM integration i WHERE i.environment_id = e.environment_id)
           || ' ' || (SELECT count(*) || ' ' || coalesce(max(updated_at)::text, '') FROM layout l
                       WHERE l.environment_id = e.environment_id)
           || ' ' || (SELECT coalesce(dialect, '') FROM environment WHERE id = e.environment_id) AS stamp,
         EXISTS (SELECT 1 FROM suppression s
                  WHERE s.environment_id = e.environment_id AND s.channel = $5) AS has_suppressions
    FROM (SELECT DISTINCT environment_id FROM claimed) e
)
SELECT ${CLAIMED_COLUMNS},
       '[]'::json AS endpoints,
       (SELECT stamp FROM settings WHERE settings.environment_id = c.environment_id) AS "settingsStamp",
       (SELECT has_suppressions FROM settings WHERE settings.environment_id = c.environment_id) AS "hasSuppressions"
  FROM claimed c
  JOIN notification n ON n.id = c.notification_id
  JOIN workflow w ON w.id = n.workflow_id
  LEFT JOIN subscriber s ON s.id = c.subscriber_id AND s.environment_id = c.environment_id
 ORDER BY c.id`;

/** Steps of a channel ($5) together with the stored endpoints of the subscribers. */
export const CLAIM_ADDRESSED_STEPS = `
WITH picked AS MATERIALIZED (
  SELECT id FROM step
   WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND '' || state = 'queued' AND type = $5 AND due_at <= now()
     AND (lease_until IS NULL OR lease_until <= now()) AND (crash_count = 0 OR $4)
   ORDER BY id FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE step t SET fence = t.fence + 1, attempt = t.attempt + 1, crash_count = t.crash_count + 1,
                    lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
    FROM picked WHERE t.id = picked.id
  RETURNING ${RETURNED_COLUMNS}
), settings AS MATERIALIZED (
  SELECT e.environment_id,
         (SELECT count(*) || ' ' || max(updated_at) FROM integration i WHERE i.environment_id = e.environment_id)
           || ' ' || (SELECT count(*) || ' ' || coalesce(max(updated_at)::text, '') FROM layout l
                       WHERE l.environment_id = e.environment_id)
           || ' ' || (SELECT coalesce(dialect, '') FROM environment WHERE id = e.environment_id) AS stamp,
         EXISTS (SELECT 1 FROM suppression s
                  WHERE s.environment_id = e.environment_id AND s.channel = $5) AS has_suppressions
    FROM (SELECT DISTINCT environment_id FROM claimed) e
)
SELECT ${CLAIMED_COLUMNS},
       coalesce((SELECT json_agg(json_build_object('id', sc.id, 'integrationId', sc.integration_id,
                                                   'providerId', sc.provider_id, 'credentials', sc.credentials)
                                 ORDER BY sc.id)
                   FROM subscriber_channel sc
                  WHERE sc.subscriber_id = c.subscriber_id AND sc.environment_id = c.environment_id),
                    '[]') AS endpoints,
       (SELECT stamp FROM settings WHERE settings.environment_id = c.environment_id) AS "settingsStamp",
       (SELECT has_suppressions FROM settings WHERE settings.environment_id = c.environment_id) AS "hasSuppressions"
  FROM claimed c
  JOIN notification n ON n.id = c.notification_id
  JOIN workflow w ON w.id = n.workflow_id
  LEFT JOIN subscriber s ON s.id = c.subscriber_id AND s.environment_id = c.environment_id
 ORDER BY c.id`;

/** Steps that the engine runs ($5: their types), when they are reached and when they are due. */
export const CLAIM_TIMERS = `
WITH picked AS MATERIALIZED (
  SELECT id FROM step
   WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND '' || state IN ('queued', 'delayed')
     AND type = ANY ($5::text[]) AND due_at <= now()
     AND (lease_until IS NULL OR lease_until <= now()) AND (crash_count = 0 OR $4)
   ORDER BY id FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE step t SET fence = t.fence + 1, attempt = t.attempt + 1, crash_count = t.crash_count + 1,
                    lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
    FROM picked WHERE t.id = picked.id
  RETURNING ${RETURNED_COLUMNS}
)
SELECT ${CLAIMED_COLUMNS}, '[]'::json AS endpoints, NULL AS "settingsStamp", false AS "hasSuppressions"
  FROM claimed c
  JOIN notification n ON n.id = c.notification_id
  JOIN workflow w ON w.id = n.workflow_id
  LEFT JOIN subscriber s ON s.id = c.subscriber_id AND s.environment_id = c.environment_id
 ORDER BY c.id`;

export const SUSPECT_STEPS = `
SELECT id FROM step
 WHERE id = ANY ($1::uuid[]) AND state IN ('queued', 'delayed') AND crash_count > 0 AND due_at <= now()
   AND (lease_until IS NULL OR lease_until <= now())`;

export const MARK_SENDING = `
UPDATE step t SET sending_since = now(), lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
  FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
 WHERE t.id = i.id AND t.id = ANY ($1::uuid[]) AND t.fence = i.fence AND t.state = 'queued'
   AND t.lease_until IS NOT NULL
RETURNING t.id`;

export const RENEW_STEPS = `
UPDATE step t SET lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
  FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
 WHERE t.id = i.id AND t.id = ANY ($1::uuid[]) AND t.fence = i.fence AND t.state IN ('queued', 'delayed')
   AND t.lease_until IS NOT NULL
RETURNING t.id`;

export const RELEASE_STEPS = `
UPDATE step t SET
  lease_until = NULL, offered_until = NULL, sending_since = CASE WHEN i.in_doubt THEN t.sending_since END,
  attempt = greatest(t.attempt - 1, 0), crash_count = greatest(t.crash_count - 1, 0),
  waiting_since = coalesce(t.waiting_since, t.due_at), due_at = greatest(t.due_at,
    now() + $3 * interval '1 millisecond')
  FROM unnest($1::uuid[], $2::int[], $4::boolean[]) AS i (id, fence, in_doubt)
 WHERE t.id = i.id AND t.fence = i.fence AND t.state IN ('queued', 'delayed') AND t.lease_until IS NOT NULL`;
