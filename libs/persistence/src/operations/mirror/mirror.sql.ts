import { CHANNELS, LIMITS, STEP_STATUSES } from '@clarion/contracts/core';
import { isSensitive } from '../../history/redaction.sql';
import { lastDetail, shownSteps, spanOf } from '../../history/activity.sql';
import { receiversInTurn } from '../../sql/receivers-in-turn';

/*
 * The mirror of an environment. Copies are inserted by the statement that stores the triggers, so a crash loses both or
 * neither. One process at a time serves a mirror, under a lease, like a webhook endpoint. Every write names the lease.
 * A copy is deleted when nothing is left to do for it, in the statement that counts it.
 */

/** The mirror `m` takes copies. */
const RUNS = `m.ended_at IS NULL AND m.until > now()`;

export const isMirrored = (environment: string): string =>
  `EXISTS (SELECT 1 FROM mirror m WHERE m.environment_id = ${environment} AND ${RUNS})`;

/** The part of the transactions that is compared is the same in every process. */
const IS_COMPARED = `abs(hashtext(i.transaction_id)::bigint) % 100 < m.compare_percent`;

/** Copies of the triggers in `stored`; `copies` is the parameter that has them. $10 is the environment. */
export const copyTriggers = (copies: string): string => `, copied AS (
     INSERT INTO mirror_copy (id, environment_id, kind, transaction_id, body, bytes, is_compared)
     SELECT c.id, $10::uuid, c.kind, i.transaction_id, c.body, c.bytes, ${IS_COMPARED}
       FROM json_to_recordset(${copies}::json) AS c (id uuid, kind text, body text, bytes int)
       JOIN stored ON stored.id = c.id JOIN input i ON i.id = c.id
       JOIN mirror m ON m.environment_id = $10::uuid AND ${RUNS}
   )`;

/** $2 is the id of the copy, $3 the transaction that is canceled, $4 whether something was canceled here. */
export const COPY_CANCELLATION = `
INSERT INTO mirror_copy (id, environment_id, kind, transaction_id, bytes, is_compared)
SELECT $2, m.environment_id, 'cancel', $3, 0, $4 FROM mirror m WHERE m.environment_id = $1 AND ${RUNS}`;

const isDue = (environment: string): string => `EXISTS (
    SELECT 1 FROM (VALUES ('waiting'), ('settling')) AS open (state) CROSS JOIN LATERAL (
      SELECT 1 FROM mirror_copy c
       WHERE c.environment_id = ${environment} AND c.state = open.state AND c.due_at <= now() LIMIT 1) due)`;

const HAS_WORK = `(m.lease_until IS NULL OR m.lease_until < now())
     AND (m.not_before IS NULL OR m.not_before <= now()) AND ${isDue('m.environment_id')}
     AND EXISTS (SELECT 1 FROM environment e WHERE e.id = m.environment_id AND e.deleted_at IS NULL)`;

export const LOOK = `SELECT EXISTS (SELECT 1 FROM mirror m WHERE ${HAS_WORK}) AS "hasDue"`;

const LEASED = `m.environment_id AS id, m.environment_id AS "environmentId", m.url, m.key, m.failures, m.figures,
  m.differences, m.settle_seconds AS "settleSeconds", m.lease_id AS "leaseId"`;

/** $1 is the lease, $2 its length in milliseconds, $3 the number of mirrors. */
export const CLAIM = `${receiversInTurn({ from: 'mirror m', id: 'm.environment_id', hasWork: HAS_WORK })}
UPDATE mirror m SET lease_id = $1, lease_until = now() + $2 * interval '1 millisecond', served_at = now()
  FROM due WHERE m.environment_id = due.id RETURNING ${LEASED}`;

/** $3 is the length of the lease. */
export const RENEW = `
UPDATE mirror m SET lease_until = now() + $3 * interval '1 millisecond'
 WHERE m.environment_id = $1 AND m.lease_id = $2 RETURNING ${LEASED}`;

const due = (state: string, limit: string, condition = ''): string => `
  (SELECT c.* FROM mirror_copy c
    WHERE c.environment_id = $1 AND c.state = '${state}' AND c.due_at <= now()${condition}
    ORDER BY c.due_at LIMIT ${limit})`;

/** A cancellation follows its trigger. */
const IS_FREE = ` AND (c.kind <> 'cancel' OR NOT EXISTS (
      SELECT 1 FROM mirror_copy before
       WHERE before.environment_id = $1 AND before.transaction_id = c.transaction_id AND before.kind <> 'cancel'
         AND before.state = 'waiting'))`;

/** Bytes of copies that a worker reads at once; one copy may have more. */
const READ_BYTES = 16 * 1024 * 1024;

/** The due copies of the environment $1, at most $2 to be sent and then $3 to be compared: sending goes first. */
export const DUE = `
SELECT id, kind, state, attempt, transaction_id AS "transactionId", body, is_compared AS "isCompared",
       ${isSensitive('waiting.id')} AS "isSensitive"
  FROM (SELECT w.*, sum(w.bytes) OVER (ORDER BY w.due_at, w.id) - w.bytes AS before
          FROM ${due('waiting', '$2', IS_FREE)} w) waiting
 WHERE before < ${READ_BYTES}
 UNION ALL
SELECT id, kind, state, attempt, transaction_id, body, is_compared, ${isSensitive('settling.id')}
  FROM ${due('settling', '$3')} settling`;

/**
 * $3 are the results, $4 whether a call succeeded, $5 the failures since then, $6 a pause in milliseconds, $7 the days
 * of failures after which the mirror ends, $8 the differences, $9 the figures, $10 the number of stored differences,
 * $11 the last error.
 */
export const RECORD = `
WITH held AS MATERIALIZED (
  SELECT environment_id FROM mirror WHERE environment_id = $1 AND lease_id = $2 FOR UPDATE
), results AS MATERIALIZED (
  SELECT r.* FROM held, json_to_recordset($3::json) AS r (id uuid, state text, attempt smallint, "dueInMs" float8)
), kept AS (
  UPDATE mirror_copy c SET
    state = r.state, attempt = r.attempt, due_at = now() + r."dueInMs" * interval '1 millisecond',
    body = CASE r.state WHEN 'waiting' THEN c.body END, bytes = CASE r.state WHEN 'waiting' THEN c.bytes ELSE 0 END
    FROM results r WHERE c.id = r.id AND c.environment_id = $1 AND r.state <> 'ended'
), ended AS (
  DELETE FROM mirror_copy c USING results r WHERE c.id = r.id AND c.environment_id = $1 AND r.state = 'ended'
), found AS (
  INSERT INTO mirror_difference (id, environment_id, kind, transaction_id, subscriber_id, channel, here, other, reason)
  SELECT uuid_v7(), $1, d.kind, d."transactionId", d."subscriberId", d.channel, d.here, d.other, d.reason
    FROM held, json_to_recordset($8::json) AS d (
      kind text, "transactionId" text, "subscriberId" text, channel text, here text, other text, reason text)
)
UPDATE mirror m SET
  figures = $9, differences = $10, failures = $5,
  last_error = CASE WHEN $4 THEN NULL ELSE coalesce($11, m.last_error) END,
  last_answered_at = CASE WHEN $4 THEN now() ELSE m.last_answered_at END,
  failing_since = CASE WHEN $4 THEN NULL ELSE coalesce(m.failing_since, now()) END,
  not_before = now() + $6::float8 * interval '1 millisecond'
  FROM held WHERE m.environment_id = held.environment_id
RETURNING coalesce(m.failing_since < now() - $7::int * interval '1 day', false) AS "isFailing"`;

/** Ends the running mirrors `m` that meet the condition, with a record in the audit log. */
const end = (condition: string, reason: string): string => `
WITH off AS (
  UPDATE mirror m SET ended_at = now(), ended_reason = ${reason} WHERE ${condition} AND ${RUNS}
  RETURNING m.environment_id, m.ended_reason
)
INSERT INTO audit_log (id, organization_id, environment_id, actor_type, action, resource_type, resource_id, before,
                       after)
SELECT uuid_v7(), environment.organization_id, off.environment_id, 'system', 'mirror.updated', 'mirror',
       off.environment_id, '{"state": "running"}',
       jsonb_build_object('state', 'ended', 'endedReason', off.ended_reason)
  FROM off JOIN environment ON environment.id = off.environment_id
RETURNING environment_id AS "environmentId", after ->> 'endedReason' AS reason`;

/** $3 is the reason. */
export const DISABLE = end(`m.environment_id = $1 AND m.lease_id = $2`, '$3::text');

/** Mirrors whose other system has not taken so many copies, or bytes, that they would fill the database. */
export const END_FULL = end(
  `(SELECT count(*) >= ${LIMITS.mirrorBacklog} OR coalesce(sum(w.bytes), 0) >= ${LIMITS.mirrorBacklogBytes}
       FROM (SELECT c.bytes FROM mirror_copy c
              WHERE c.environment_id = m.environment_id AND c.state = 'waiting' LIMIT ${LIMITS.mirrorBacklog}) w)`,
  `'The other system has not taken the copies: as many wait as may wait'`,
);

export const RELEASE = `
UPDATE mirror SET lease_id = NULL, lease_until = NULL WHERE environment_id = $1 AND lease_id = $2`;

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');
const NOT_SENT = STEP_STATUSES.filter((status) => ['failed', 'canceled', 'skipped', 'merged'].includes(status));

/** Whether the trigger $2 of the environment $1 still becomes notifications. */
export const IS_EXPANDING = `
SELECT EXISTS (SELECT 1 FROM work WHERE environment_id = $1 AND id = $2 AND type = 'trigger') AS "isExpanding"`;

/** The channel steps of the trigger $2 of the environment $1, of at most $3 notifications from the id $4 on. */
export const STEPS = `
WITH notifications AS MATERIALIZED (
  SELECT id, subscriber_id FROM notification WHERE environment_id = $1 AND trigger_id = $2 AND id >= $4 LIMIT $3
)
SELECT n.id AS "notificationId", who.subscriber_id AS "subscriberId", s.type AS channel, s.state AS status,
       CASE WHEN s.state IN (${quoted(NOT_SENT)})
            THEN ${lastDetail('s.id', ` AND d.status <> 'ReadConfirmation'`)} END AS detail
  FROM notifications n
  JOIN subscriber who ON who.environment_id = $1 AND who.id = n.subscriber_id
 CROSS JOIN LATERAL ${spanOf('n.id')}
 CROSS JOIN LATERAL (${shownSteps()}) s
 WHERE s.type IN (${quoted(CHANNELS)})`;
