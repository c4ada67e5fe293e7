import { TEST_ENTRY_TYPE } from '@clarion/contracts/core';
import { beforeKept, entriesBetween, UNNUMBERED } from '../../history/log-entries.sql';
import { receiversInTurn } from '../../sql/receivers-in-turn';

/*
 * How entries of the event log get to webhook endpoints. One process at a time serves an endpoint, under a lease. It
 * opens deliveries for the next entries, so many at most that an endpoint without answers costs little: what is later
 * stays in the log, behind the cursor of the endpoint. Every write names the lease, so a process that lost it changes
 * nothing; what it had sent is sent again.
 */

/** Open deliveries of one endpoint. */
const MOST_OPEN = 500;
/** Entries that a replay adds in one step, so that new entries come between them. */
const REPLAYED_AT_ONCE = 100;

const HAS_WORK = `e.active AND (e.lease_until IS NULL OR e.lease_until < now())
     AND (e.not_before IS NULL OR e.not_before <= now())
     AND (e.cursor < l.last_sequence OR e.next_attempt_at <= now() OR e.replay_to IS NOT NULL)`;

const ENDPOINTS = `webhook_endpoint e LEFT JOIN event_log l ON l.environment_id = e.environment_id`;

export const LOOK = `
SELECT EXISTS (SELECT 1 FROM ${UNNUMBERED}) AS "hasNew",
       EXISTS (SELECT 1 FROM ${ENDPOINTS} WHERE ${HAS_WORK}) AS "hasDue"`;

const LEASED = `e.id, e.environment_id AS "environmentId", e.url, e.secret, e.failures, e.lease_id AS "leaseId",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret END AS "previousSecret"`;

/**
 * $1 is the lease, $2 its length in milliseconds, $3 the number of endpoints. Until it is released, an endpoint counts
 * as due, since a time before the claim: if its process ends, another one takes it when the lease ends.
 */
export const CLAIM = `${receiversInTurn({ from: ENDPOINTS, id: 'e.id', hasWork: HAS_WORK })}
UPDATE webhook_endpoint e
   SET lease_id = $1, lease_until = now() + $2 * interval '1 millisecond', served_at = now(),
       next_attempt_at = now() - interval '1 second'
  FROM due WHERE e.id = due.id RETURNING ${LEASED}`;

/** The endpoint $1 while the lease is $2. */
const HELD = `held AS MATERIALIZED (
  SELECT * FROM webhook_endpoint WHERE id = $1 AND lease_id = $2 AND active FOR UPDATE
)`;

const FREE = `greatest(${MOST_OPEN} - (
    SELECT count(*) FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'waiting'), 0)`;

/** Whether the endpoint `h` gets the entry `p`. Entries without a channel or a workflow pass these filters. */
const IS_WANTED = `(h.events IS NULL OR p.type = ANY (h.events))
     AND (h.channels IS NULL OR p.channel IS NULL OR p.channel = ANY (h.channels))
     AND (h.workflows IS NULL OR p.workflow_identifier IS NULL OR p.workflow_identifier = ANY (h.workflows))`;

/** The next entries after a number of the endpoint `h`, as `page`, and the numbers around them, as `span`. */
const pageOf = (after: string, limit: string, most: string): string => `span AS MATERIALIZED (
  SELECT environment_id, after, ${most} AS upto
    FROM (SELECT h.environment_id, h.replay_to, ${limit} AS free,
                 ${beforeKept('h.environment_id', `h.${after}`)} AS after FROM held h) h
), page AS MATERIALIZED (
  SELECT x.id, x.sequence, x.type, x.channel, x.workflow_identifier
    FROM span CROSS JOIN LATERAL (${entriesBetween('span.environment_id', 'span.after', 'span.upto')}) x
)`;

const OPEN = `
  INSERT INTO webhook_delivery AS d (id, environment_id, endpoint_id, entry_id, sequence, type)
  SELECT uuid_v7(), h.environment_id, h.id, p.id, p.sequence, p.type FROM page p CROSS JOIN held h
   WHERE ${IS_WANTED} ORDER BY p.sequence
  ON CONFLICT ON CONSTRAINT webhook_delivery_entry_key`;

/** $3 is the length of the lease. `seen` are the entries that were looked at. */
export const FILL = `
WITH ${HELD}, ${pageOf('cursor', FREE, 'after + free')}, opened AS (${OPEN} DO NOTHING)
UPDATE webhook_endpoint e
   SET cursor = coalesce((SELECT max(sequence) FROM page), e.cursor),
       lease_until = now() + $3 * interval '1 millisecond'
  FROM held WHERE e.id = held.id
RETURNING ${LEASED}, (SELECT count(*)::int FROM page) AS seen, e.replay_to IS NOT NULL AS "isReplaying"`;

/** An entry that was delivered or has failed is sent again, under the same id. */
export const REPLAY = `
WITH ${HELD}, ${pageOf(
  'replay_after',
  `least(${FREE}, ${REPLAYED_AT_ONCE})`,
  'least(after + free, replay_to)',
)}, opened AS (${OPEN}
  DO UPDATE SET state = 'waiting', attempt = 0, due_at = now(), ended_at = NULL WHERE d.state <> 'waiting')
UPDATE webhook_endpoint e
   SET replay_after = CASE WHEN next.is_last THEN NULL ELSE next.reached END,
       replay_to = CASE WHEN next.is_last THEN NULL ELSE e.replay_to END
  FROM held CROSS JOIN LATERAL (
    SELECT r.reached, r.reached >= held.replay_to AS is_last
      FROM (SELECT coalesce((SELECT max(sequence) FROM page), (SELECT after FROM span)) AS reached) r) next
 WHERE e.id = held.id AND held.replay_to IS NOT NULL
RETURNING (SELECT count(*)::int FROM page) AS seen`;

/** Entries that are read without being due, between two that are: reading a batch of entries costs more. */
const LARGEST_GAP = 100;

/**
 * The due deliveries of the endpoint $1, at most $2. Their entries are read in ranges: a batch is read once. An entry
 * and its delivery get together by sorting: in a join, Postgres, which expects one due delivery, would read the ranges
 * again for each one.
 */
export const DUE = `
WITH due AS MATERIALIZED (
  SELECT * FROM webhook_delivery
   WHERE endpoint_id = $1 AND state = 'waiting' AND due_at <= now() ORDER BY due_at, sequence LIMIT $2
), gaps AS (
  SELECT environment_id, sequence, sequence - lag(sequence) OVER (ORDER BY sequence) AS gap
    FROM due WHERE sequence IS NOT NULL
), ranges AS MATERIALIZED (
  SELECT environment_id, min(sequence) - 1 AS after, max(sequence) AS upto
    FROM (SELECT *, count(*) FILTER (WHERE gap > ${LARGEST_GAP}) OVER (ORDER BY sequence) AS range FROM gaps) g
   GROUP BY environment_id, range
)
SELECT id, entry_id AS "entryId", sequence::float8 AS sequence, type, attempt, "createdAt",
       CASE type WHEN '${TEST_ENTRY_TYPE}' THEN jsonb_build_object('endpointId', endpoint_id) ELSE of_entry END AS data
  FROM (
    SELECT both_rows.*, first_value(created_at) OVER same AS "createdAt", first_value(data) OVER same AS of_entry
      FROM (
        SELECT NULL::uuid AS id, NULL::uuid AS entry_id, x.sequence, NULL AS type, NULL::int AS attempt, x.created_at,
               NULL::uuid AS endpoint_id, NULL::timestamptz AS due_at, x.data
          FROM ranges r CROSS JOIN LATERAL (${entriesBetween('r.environment_id', 'r.after', 'r.upto')}) x
        UNION ALL
        SELECT id, entry_id, sequence, type, attempt, created_at, endpoint_id, due_at, NULL FROM due) both_rows
    WINDOW same AS (PARTITION BY sequence, CASE WHEN sequence IS NULL THEN id END ORDER BY id NULLS FIRST)) delivery
 WHERE id IS NOT NULL ORDER BY due_at, sequence`;

/**
 * $3 are the results, $4 whether a call succeeded, $5 the failures since then, $6 a pause in milliseconds, $7 the days
 * of failures after which the endpoint is switched off, $8 the ids of the deliveries: no other one is read.
 */
export const RECORD = `
WITH held AS MATERIALIZED (
  SELECT id FROM webhook_endpoint WHERE id = $1 AND lease_id = $2 FOR UPDATE
), recorded AS (
  UPDATE webhook_delivery d SET
    state = i.state, attempt = d.attempt + 1, attempted_at = now(), response_status = i.status, response_text = i.text,
    error = i.error, due_at = coalesce(now() + i."dueInMs" * interval '1 millisecond', d.due_at),
    ended_at = CASE WHEN i.state <> 'waiting' THEN now() END
    FROM held, json_to_recordset($3::json)
      AS i (id uuid, state text, "dueInMs" float8, status smallint, text text, error text)
   WHERE d.id = i.id AND d.id = ANY ($8::uuid[]) AND d.state = 'waiting'
)
UPDATE webhook_endpoint e SET
  failures = $5, last_delivered_at = CASE WHEN $4 THEN now() ELSE e.last_delivered_at END,
  failing_since = CASE WHEN $4 THEN NULL ELSE coalesce(e.failing_since, now()) END,
  not_before = now() + $6::float8 * interval '1 millisecond'
  FROM held WHERE e.id = held.id
RETURNING coalesce(e.failing_since < now() - $7::int * interval '1 day', false) AS "isFailing"`;

/** $3 is the reason. */
export const DISABLE = `
WITH off AS (
  UPDATE webhook_endpoint SET active = false, disabled_reason = $3, disabled_at = now(), updated_at = now()
   WHERE id = $1 AND lease_id = $2 AND active RETURNING id, environment_id, url
), logged AS (
  INSERT INTO new_log_entry (environment_id, type, data)
  SELECT environment_id, 'webhook_endpoint.disabled',
         jsonb_build_object('endpointId', id, 'url', url, 'reason', $3::text) FROM off
)
INSERT INTO audit_log (id, organization_id, environment_id, actor_type, action, resource_type, resource_id, before,
                       after)
SELECT uuid_v7(), environment.organization_id, off.environment_id, 'system', 'webhook_endpoint.updated',
       'webhook_endpoint', off.id, '{"active": true}',
       jsonb_build_object('active', false, 'disabledReason', $3::text)
  FROM off JOIN environment ON environment.id = off.environment_id`;

/**
 * An endpoint with the most open deliveries waits until the first of them is due. A delivery that was opened while this
 * statement waited for the endpoint is not in its snapshot, but the time that its transaction set is in the row: the
 * endpoint stays due then.
 */
export const RELEASE = `
UPDATE webhook_endpoint e SET
  lease_id = NULL, lease_until = NULL,
  next_attempt_at = CASE WHEN e.next_attempt_at >= e.served_at THEN e.next_attempt_at ELSE d.first_due END,
  not_before = CASE WHEN d.open >= ${MOST_OPEN} THEN greatest(e.not_before, d.first_due) ELSE e.not_before END
  FROM (SELECT count(*) AS open, min(due_at) AS first_due FROM webhook_delivery
         WHERE endpoint_id = $1 AND state = 'waiting') d
 WHERE e.id = $1 AND e.lease_id = $2`;
