import { LEASE_MS } from '../leases';
import { chatEndpoints, pushEndpoints } from '../../channels/channel-endpoint.sql';
import { type ClaimedRows, claimOf, lengthOf } from '../claims.sql';
import { howRecorded } from '../../history/event-log.sql';
import { contentStamp } from '../../authoring/environment-content.sql';
import { HOLD_OF_CLAIMED, holdStamp } from '../../operations/hold.sql';
import { joinVersion } from '../orphans';

/** The tenant and the contexts of a step. A context key is its type, with `:` and `%` encoded, and its id. */
const BYTES_OF_SURROUNDINGS = `(
         SELECT coalesce(sum(bytes), 0)::int FROM (
           SELECT ${lengthOf('x.data')} AS bytes FROM tenant x
            WHERE x.environment_id = c.environment_id AND x.identifier = t.tenant
            UNION ALL
           SELECT ${lengthOf('x.data')} FROM unnest(n.context_keys) AS k (key)
             JOIN context x ON x.environment_id = c.environment_id
              AND x.type = replace(replace(split_part(k.key, ':', 1), '%3A', ':'), '%25', '%')
              AND x.context_id = substr(k.key, strpos(k.key, ':') + 1)) large)`;

/**
 * The columns of a claimed step that are the same in every claim: of the row (`c`), its notification, trigger,
 * subscriber and workflow. Plain columns, because Postgres writes JSON objects slower than rows. Steps of one trigger
 * share its payload, which may be large: only the first of them returns it. `date_part` is a float, which takes less
 * time than the numeric of `extract`.
 */
const CLAIMED_COLUMNS = `c.id, c.environment_id, c.notification_id, c.trigger_id, c.type, c.step_key, c.is_delayed,
       c.progress, c.attempt, c.fence, c.lane, c.crash_count, c.sending_since IS NOT NULL AS in_doubt,
       floor(date_part('epoch', clock_timestamp()) * 1000) AS now_ms,
       date_part('epoch', clock_timestamp() - coalesce(c.waiting_since, c.due_at)) * 1000 AS waited_ms,
       date_part('epoch', clock_timestamp() - t.created_at) * 1000 AS age_ms, t.ttl,
       n.workflow_id, n.actor, n.severity, n.critical, n.context_keys, n.tags,
       t.transaction_id, t.workflow_version, t.tenant, t.traceparent, t.tracestate,
       CASE WHEN row_number() OVER (PARTITION BY c.trigger_id ORDER BY c.id) = 1 THEN t.payload END AS payload,
       CASE WHEN row_number() OVER (PARTITION BY c.trigger_id ORDER BY c.id) = 1 THEN t.overrides END AS overrides,
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
       date_part('epoch', w.updated_at) * 1000 AS workflow_updated_ms,
       CASE WHEN n.id IS NULL THEN 'notification' WHEN t.id IS NULL THEN 'event'
            WHEN v.version IS NULL THEN 'workflow version' END AS gone,
       CASE WHEN t.tenant IS NULL AND n.context_keys IS NULL THEN 0 ELSE ${BYTES_OF_SURROUNDINGS} END
         AS surroundings_bytes,${HOLD_OF_CLAIMED}`;

const CLAIMED_TABLES = `picked c
  LEFT JOIN notification n ON n.environment_id = c.environment_id AND n.id = c.notification_id
  LEFT JOIN trigger t ON t.id = c.trigger_id
  LEFT JOIN workflow w ON w.id = n.workflow_id
  ${joinVersion('n.workflow_id')}
  LEFT JOIN subscriber s ON s.id = c.subscriber_id AND s.environment_id = c.environment_id`;

/** The settings of the environments, read once for each and returned with its first step. $7 is the channel. */
const SETTINGS = `settings AS MATERIALIZED (
  SELECT e.first_id,
         (SELECT count(*) || ' ' || max(updated_at) FROM integration i WHERE i.environment_id = e.environment_id)
           || ' ' || (SELECT count(*) || ' ' || coalesce(max(updated_at)::text, '') FROM layout l
                       WHERE l.environment_id = e.environment_id)
           || ' ' || (SELECT coalesce(dialect, '') || ' ' || kind || ' ' || without_integration || ' ' || track_opens
                             || ' ' || track_clicks || ' ' || one_click_unsubscribe
                             || ' ' || coalesce(sandbox_email, '') || ' ' || coalesce(sandbox_phone, '')
                      FROM environment WHERE id = e.environment_id)
           || ' ' || ${holdStamp('e.environment_id')} AS stamp,
         ${contentStamp('e.environment_id')} AS content_stamp,
         EXISTS (SELECT 1 FROM suppression s
                  WHERE s.environment_id = e.environment_id AND s.channel = $7) AS has_suppressions,
         ${howRecorded('e.environment_id')} AS recorded
    FROM (SELECT environment_id, (array_agg(id ORDER BY id))[1] AS first_id FROM picked GROUP BY environment_id) e
)`;

/** The row of `redaction` lasts as long as a step of the trigger is open. LIMIT makes it one lookup for each step. */
const HAS_MARKED_FIELDS = `
       coalesce((SELECT true FROM redaction r WHERE r.trigger_id = c.trigger_id LIMIT 1), false)`;

const SETTINGS_COLUMNS = `
       settings.stamp AS settings_stamp, settings.content_stamp, settings.has_suppressions, settings.recorded,
       ${HAS_MARKED_FIELDS} AS is_sensitive`;

/** The columns of a claimed step that may be large. */
const LARGE: Pick<ClaimedRows, 'own' | 'shared' | 'later'> = {
  own: ['actor', 'data', 'preferences', 'outputs', 'endpoints'],
  shared: ['payload', 'overrides'],
  later: 'surroundings_bytes',
};

/** Steps of a channel ($7), together with the stored endpoints of the subscribers where the channel has some. */
const claimSteps = (endpoints: string): string =>
  claimOf({
    condition: `'' || w.type = $7`,
    more: `${SETTINGS}, `,
    columns: `${CLAIMED_COLUMNS}, ${endpoints} AS endpoints, ${SETTINGS_COLUMNS}`,
    tables: `${CLAIMED_TABLES} LEFT JOIN settings ON settings.first_id = c.id`,
    ...LARGE,
  });

export const CLAIM_PLAIN_STEPS = claimSteps('NULL::json');
export const CLAIM_CHAT_STEPS = claimSteps(chatEndpoints('c.subscriber_id', 'c.environment_id'));
export const CLAIM_PUSH_STEPS = claimSteps(pushEndpoints('c.subscriber_id', 'c.environment_id'));

/** Steps that the engine runs ($7: their types), when they are reached and when they are due. */
export const CLAIM_TIMERS = claimOf({
  condition: `'' || w.type = ANY ($7::text[])`,
  columns: `${CLAIMED_COLUMNS}, NULL::json AS endpoints, NULL AS settings_stamp,
       ${contentStamp('c.environment_id')} AS content_stamp, false AS has_suppressions, NULL AS recorded,
       false AS is_sensitive`,
  tables: CLAIMED_TABLES,
  ...LARGE,
});

/** A claim is renewed when a mark finds that a part of its lease has passed. */
const FRESH_LEASE_MS = LEASE_MS * 0.75;

/** $1 ids, $2 fences, $3 claims. A row that names the claim is marked already: the answer was lost. */
export const MARK_SENDING = `
WITH renewed AS (
  UPDATE claim SET lease_until = now() + interval '${LEASE_MS} milliseconds'
   WHERE id = ANY ($3::uuid[]) AND lease_until < now() + interval '${FRESH_LEASE_MS} milliseconds'
)
UPDATE work w SET fence = w.fence + 1, claim_id = i.claim_id, sending_since = now(), updated_at = now()
  FROM unnest($1::uuid[], $2::int[], $3::uuid[]) AS i (id, fence, claim_id)
 WHERE w.id = i.id AND w.id = ANY ($1::uuid[]) AND (w.fence = i.fence OR w.claim_id = i.claim_id)
RETURNING w.id, w.fence`;

const WAITING_SINCE = `coalesce(w.waiting_since, w.due_at)`;
const AFTER_DELAY = `greatest(w.due_at, now() + $3::float8 * interval '1 millisecond')`;

type Release = { progress: string; waitsFor?: string; dueAt?: string; arrays?: string; names?: string };

/**
 * $3 is the delay, $4 whether a call was in doubt before the claim: then it still is. $5 are the claims: a mark that
 * was on its way when the worker decided to release the step has given it a new fence.
 */
const releaseSteps = ({
  progress,
  waitsFor = 'NULL',
  dueAt = AFTER_DELAY,
  arrays = '',
  names = '',
}: Release): string => `
UPDATE work w SET
  fence = w.fence + 1, claim_id = NULL, offered_at = NULL, was_offered_again = false, updated_at = now(),
  sending_since = CASE WHEN i.in_doubt THEN w.sending_since END,
  waiting_since = ${WAITING_SINCE}, waits_for = ${waitsFor},
  due_at = ${dueAt},
  progress = ${progress}
  FROM unnest($1::uuid[], $2::int[], $4::boolean[], $5::uuid[]${arrays}) AS i (id, fence, in_doubt, claim_id${names})
 WHERE w.id = i.id AND w.id = ANY ($1::uuid[]) AND (w.fence = i.fence OR w.claim_id = i.claim_id)`;

/** A step that waits for something else waits for no limit any more. */
export const RELEASE_STEPS = releaseSteps({
  progress: `CASE WHEN $3::float8 > 0 THEN nullif(w.progress - 'limit', '{}') ELSE w.progress END`,
});

/** The limit is noted apart: a step that waits for something else in between gets no second execution detail. */
const WITH_LIMIT = `coalesce(w.progress, '{}') || jsonb_build_object(
  'limit', $6::jsonb,
  'noted', coalesce(w.progress -> 'noted', '{}') || jsonb_build_object($6::jsonb ->> 'limit', true))`;

/**
 * Steps that wait for a limit ($6). Those in $7 begin to and get a detail: status $8, text $9. A step that waits for
 * the limit of an integration is released in its turn (`account-waits.sql.ts`); when it comes back in vain it keeps its
 * place. Its own time comes only when its message expires ($10, in milliseconds), or after that many days. The limit is
 * stored, because it may be released before a worker has called the account.
 */
export const RELEASE_LIMITED_STEPS = `
WITH waiting AS (${releaseSteps({
  progress: WITH_LIMIT,
  waitsFor: `($6::jsonb ->> 'integrationId')::uuid`,
  dueAt: `CASE WHEN $6::jsonb ? 'integrationId'
    THEN least(now() + i.left_ms * interval '1 millisecond',
               greatest(${WAITING_SINCE} + interval '30 days', now() + interval '1 hour'))
    ELSE ${AFTER_DELAY} END`,
  arrays: ', $7::boolean[], $10::float8[]',
  names: ', begins, left_ms',
})}
  RETURNING w.id, w.environment_id, w.notification_id, w.waits_for, i.begins,
            CASE WHEN w.waits_for IS NULL THEN w.due_at END AS until
), paced AS (
  INSERT INTO send_rate AS s (integration_id, starts_at, ends_at, per_second)
  SELECT i.id, now(), now(), ($6::jsonb ->> 'figure')::float8 FROM integration i
   WHERE i.id IN (SELECT waits_for FROM waiting)
  ON CONFLICT (integration_id) DO UPDATE SET
    per_second = excluded.per_second, ends_at = greatest(s.ends_at, excluded.ends_at)
)
INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
SELECT uuid_v7(), environment_id, notification_id, id, $8::text,
       replace($9::text, '{until}', coalesce(to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')),
       ($6::jsonb || jsonb_strip_nulls(jsonb_build_object('until', until)))::text
  FROM waiting WHERE begins`;
