import { LEASE_MS } from '../../leases';
import { chatEndpoints, pushEndpoints } from '../channel-endpoint.sql';
import { claimRows } from '../claims.sql';
import { recordsEvents } from '../event-log.sql';
import { contentStamp } from '../environment-content.sql';
import { HOLD_OF_CLAIMED, holdStamp } from '../hold.sql';

/**
 * The columns of a claimed step that are the same in every claim: of the row (`c`), its notification, trigger,
 * subscriber and workflow. Plain columns, because Postgres writes JSON objects slower than rows. Steps of one trigger
 * share its payload, which may be large: only the first of them returns it.
 */
const CLAIMED_COLUMNS = `c.id, c.environment_id, c.notification_id, c.trigger_id, c.type, c.step_key, c.is_delayed,
       c.progress, c.attempt, c.fence, c.crash_count, c.sending_since IS NOT NULL AS in_doubt,
       floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
       (extract(epoch FROM clock_timestamp() - coalesce(c.waiting_since, c.due_at)) * 1000)::float8 AS waited_ms,
       (extract(epoch FROM clock_timestamp() - t.created_at) * 1000)::float8 AS age_ms, t.ttl,
       n.workflow_id, n.actor, n.severity, n.critical, n.context_keys, n.tags,
       t.transaction_id, t.workflow_version, t.tenant, t.traceparent, t.tracestate,
       CASE WHEN row_number() OVER (PARTITION BY c.trigger_id) = 1 THEN t.payload END AS payload,
       CASE WHEN row_number() OVER (PARTITION BY c.trigger_id) = 1 THEN t.overrides END AS overrides,
       s.id AS subscriber_row_id, s.subscriber_id, s.first_name, s.last_name, s.email, s.phone, s.avatar, s.locale,
       s.timezone, s.data, s.is_online, to_json(s.last_online_at) AS last_online_at,
       (SELECT json_agg(json_build_object('workflowId', p.workflow_id, 'contextKey', p.context_key,
                                          'preferences', p.preferences, 'schedule', p.schedule))
          FROM preference p
         WHERE p.subscriber_id = c.subscriber_id AND p.environment_id = c.environment_id
           AND (p.workflow_id IS NULL OR p.workflow_id = n.workflow_id)) AS preferences,
       CASE WHEN c.id <> step_id(c.notification_id, 0) THEN
         (SELECT json_object_agg(o.step_key, o.output) FROM step o
           WHERE o.id > c.notification_id AND o.id < c.id AND o.output IS NOT NULL) END AS outputs,
       extract(epoch FROM w.updated_at)::float8 * 1000 AS workflow_updated_ms,${HOLD_OF_CLAIMED}`;

const CLAIMED_TABLES = `picked c
  JOIN notification n ON n.environment_id = c.environment_id AND n.id = c.notification_id
  JOIN trigger t ON t.id = c.trigger_id
  JOIN workflow w ON w.id = n.workflow_id
  LEFT JOIN subscriber s ON s.id = c.subscriber_id AND s.environment_id = c.environment_id`;

/** The settings of the environments of the claimed steps, read once for each environment. $7 is the channel. */
const SETTINGS = `settings AS MATERIALIZED (
  SELECT e.environment_id,
         (SELECT count(*) || ' ' || max(updated_at) FROM integration i WHERE i.environment_id = e.environment_id)
           || ' ' || (SELECT count(*) || ' ' || coalesce(max(updated_at)::text, '') FROM layout l
                       WHERE l.environment_id = e.environment_id)
           || ' ' || (SELECT coalesce(dialect, '') || ' ' || kind || ' ' || without_integration || ' ' || track_opens
                             || ' ' || track_clicks || ' ' || one_click_unsubscribe
                      FROM environment WHERE id = e.environment_id)
           || ' ' || ${holdStamp('e.environment_id')} AS stamp,
         ${contentStamp('e.environment_id')} AS content_stamp,
         EXISTS (SELECT 1 FROM suppression s
                  WHERE s.environment_id = e.environment_id AND s.channel = $7) AS has_suppressions,
         ${recordsEvents('e.environment_id')} AS records_events
    FROM (SELECT DISTINCT environment_id FROM picked) e
)`;

const SETTINGS_COLUMNS = `
       (SELECT stamp FROM settings WHERE settings.environment_id = c.environment_id) AS settings_stamp,
       (SELECT content_stamp FROM settings WHERE settings.environment_id = c.environment_id) AS content_stamp,
       (SELECT has_suppressions FROM settings WHERE settings.environment_id = c.environment_id) AS has_suppressions,
       (SELECT records_events FROM settings WHERE settings.environment_id = c.environment_id) AS records_events`;

/** Steps of a channel ($7) that needs no stored endpoints. */
export const CLAIM_PLAIN_STEPS = `
WITH ${claimRows(`'' || w.type = $7`)}, ${SETTINGS}
SELECT ${CLAIMED_COLUMNS}, NULL::json AS endpoints, ${SETTINGS_COLUMNS}
  FROM ${CLAIMED_TABLES}
 ORDER BY c.id`;

/** Steps of a channel ($7) together with the stored endpoints of the subscribers. */
const claimAddressed = (endpoints: string): string => `
WITH ${claimRows(`'' || w.type = $7`)}, ${SETTINGS}
SELECT ${CLAIMED_COLUMNS}, ${endpoints} AS endpoints, ${SETTINGS_COLUMNS}
  FROM ${CLAIMED_TABLES}
 ORDER BY c.id`;

export const CLAIM_CHAT_STEPS = claimAddressed(chatEndpoints('c.subscriber_id', 'c.environment_id'));
export const CLAIM_PUSH_STEPS = claimAddressed(pushEndpoints('c.subscriber_id', 'c.environment_id'));

/** Steps that the engine runs ($7: their types), when they are reached and when they are due. */
export const CLAIM_TIMERS = `
WITH ${claimRows(`'' || w.type = ANY ($7::text[])`)}
SELECT ${CLAIMED_COLUMNS}, NULL::json AS endpoints, NULL AS settings_stamp,
       ${contentStamp('c.environment_id')} AS content_stamp, false AS has_suppressions, false AS records_events
  FROM ${CLAIMED_TABLES}
 ORDER BY c.id`;

/** A claim is renewed when a mark finds that a part of its lease has passed. */
const FRESH_LEASE_MS = LEASE_MS * 0.75;

/**
 * $1 are the ids, $2 their fences, $3 their claims. A row that names the claim has its mark already: the answer to the
 * first statement was lost, and the worker asks again.
 */
export const MARK_SENDING = `
WITH renewed AS (
  UPDATE claim SET lease_until = now() + interval '${LEASE_MS} milliseconds'
   WHERE id = ANY ($3::uuid[]) AND lease_until < now() + interval '${FRESH_LEASE_MS} milliseconds'
)
UPDATE work w SET fence = w.fence + 1, claim_id = i.claim_id, sending_since = now(), updated_at = now()
  FROM unnest($1::uuid[], $2::int[], $3::uuid[]) AS i (id, fence, claim_id)
 WHERE w.id = i.id AND w.id = ANY ($1::uuid[]) AND (w.fence = i.fence OR w.claim_id = i.claim_id)
RETURNING w.id, w.fence`;

/**
 * $3 is the delay, $4 whether a call was in doubt before the claim: then it still is. $5 are the claims: a mark that
 * was on its way when the worker decided to release the step has given it a new fence.
 */
export const RELEASE_STEPS = `
UPDATE work w SET
  fence = w.fence + 1, claim_id = NULL, offered_at = NULL, was_offered_again = false, updated_at = now(),
  sending_since = CASE WHEN i.in_doubt THEN w.sending_since END,
  waiting_since = coalesce(w.waiting_since, w.due_at),
  due_at = greatest(w.due_at, now() + $3 * interval '1 millisecond')
  FROM unnest($1::uuid[], $2::int[], $4::boolean[], $5::uuid[]) AS i (id, fence, in_doubt, claim_id)
 WHERE w.id = i.id AND (w.fence = i.fence OR w.claim_id = i.claim_id)`;
