import { NORMAL_LANE } from '@clarion/contracts/core';
import { openSteps, unpackDetails } from '../history/activity.sql';
import { countOutcomes } from '../history/count-outcomes.sql';
import { dueWithoutHold } from '../operations/hold.sql';
import { copyTriggers } from '../operations/mirror/mirror.sql';
import { packedDetail } from '../history/packed-details';
import { selectTransactions } from './transactions';

/*
 * The hot statements of the gateway. Columns are arrays, which Postgres reads faster than JSON: $1 to $9 are the ids,
 * the transactionIds, the triggers that these name (or NULL), the fingerprints, the workflows, their versions, the
 * recipients, the payloads and the rare values as JSON (or NULL).
 */
const TRIGGER_ARRAYS = `$1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::int[], $7::text[], $8::text[],
    $9::text[]`;
const TRIGGER_NAMES = `id, transaction_id, named, fingerprint, workflow_id, workflow_version, recipients, payload,
    rest`;

/** The triggers of one call: $10 is the environment, $11 to $13 the request and its trace. */
const OF_ONE_CALL = `SELECT i.*, $10::uuid AS environment_id, $11::text AS request_id, $12::text AS traceparent,
            $13::text AS tracestate
       FROM unnest(${TRIGGER_ARRAYS}) AS i (${TRIGGER_NAMES})`;

/** The triggers of several calls: $10 to $13 are arrays too. */
const OF_SEVERAL_CALLS = `SELECT *
       FROM unnest(${TRIGGER_ARRAYS}, $10::uuid[], $11::text[], $12::text[], $13::text[])
            AS i (${TRIGGER_NAMES}, environment_id, request_id, traceparent, tracestate)`;

/**
 * The primary key of `transaction` decides which transactionIds are new. One that a caller chose may look like one that
 * the gateway made, which has no row there: it is taken if its trigger exists. A statement that also returns the known
 * transactions makes Postgres choose a plan that reads the whole table; they are rare, so a second statement reads
 * them.
 */
const FRESH = `, fresh AS (
     INSERT INTO transaction (environment_id, transaction_id, trigger_id)
     SELECT i.environment_id, i.transaction_id, i.id FROM input i
      WHERE i.transaction_id <> 'txn_' || i.id
        AND (i.named IS NULL
             OR NOT EXISTS (SELECT 1 FROM trigger t WHERE t.id = i.named AND t.environment_id = i.environment_id
                               AND t.transaction_id = i.transaction_id))
     ON CONFLICT DO NOTHING
     RETURNING trigger_id
   )`;
const IS_FRESH = `WHERE i.transaction_id = 'txn_' || i.id OR i.id IN (SELECT trigger_id FROM fresh)`;

const insertTriggers = (input: string, { fresh, isFresh, more }: Record<'fresh' | 'isFresh' | 'more', string>) =>
  `WITH input AS MATERIALIZED (
     ${input}
   )${fresh}, stored AS (
     INSERT INTO trigger (id, environment_id, transaction_id, fingerprint, workflow_id, workflow_version, recipients,
                          payload, overrides, controls, actor, tenant, context, ttl, is_test, request_id,
                          traceparent, tracestate)
     SELECT i.id, i.environment_id, i.transaction_id, decode(i.fingerprint, 'hex'), i.workflow_id, i.workflow_version,
            i.recipients::jsonb, i.payload::jsonb, r.overrides, r.controls, r.actor, r.tenant, r.context, r.ttl,
            r."isTest", i.request_id, i.traceparent, i.tracestate
       FROM input i
       LEFT JOIN LATERAL json_to_record(i.rest::json) AS r (
              overrides jsonb, controls jsonb, actor jsonb, tenant text, context jsonb, ttl int, "isTest" boolean)
              ON i.rest IS NOT NULL ${isFresh}
     RETURNING id, environment_id
   ), opened AS (
     INSERT INTO work (id, environment_id, trigger_id, offered_at, type, lane)
     SELECT s.id, s.environment_id, s.id, now(), 'trigger',
            coalesce((i.rest::json ->> 'lane')::smallint, ${NORMAL_LANE})
       FROM stored s JOIN input i ON i.id = s.id
   )${more}
   SELECT id FROM stored`;

const CHOSEN = { fresh: FRESH, isFresh: IS_FRESH, more: '' };
const OWN = { fresh: '', isFresh: '', more: '' };

/** Some transactionIds were chosen by callers. */
export const INSERT = insertTriggers(OF_ONE_CALL, CHOSEN);
export const INSERT_SHARED = insertTriggers(OF_SEVERAL_CALLS, CHOSEN);

/** The gateway made all transactionIds. */
export const INSERT_OWN = insertTriggers(OF_ONE_CALL, OWN);
export const INSERT_OWN_SHARED = insertTriggers(OF_SEVERAL_CALLS, OWN);

/** What few triggers have, each with the parameters that it adds to those of one call, in this order. */
const EXTRAS = {
  /** The contents are one concatenated parameter, because bytes inside an array or JSON would be sent as text. */
  files: {
    parameters: 2,
    sql: (first: number): string => `, files AS (
     INSERT INTO attachment (id, environment_id, trigger_id, position, name, mime, content)
     SELECT f.id, $10::uuid, f."triggerId", f.position, f.name, f.mime,
            substring($${first + 1}::bytea FROM f.start FOR f.size)
       FROM json_to_recordset($${first}::json) AS f (
              id uuid, "triggerId" uuid, position smallint, name text, mime text, start int, size int)
       JOIN stored ON stored.id = f."triggerId"
   )`,
  },
  /** Marked payload fields. Stored with the trigger, so that a crash does not leave it unredacted. */
  sensitive: {
    parameters: 2,
    sql: (first: number): string => `, marked AS (
     INSERT INTO redaction (trigger_id, environment_id, paths)
     SELECT m.id, $10::uuid, m.paths::jsonb FROM unnest($${first}::uuid[], $${first + 1}::text[]) AS m (id, paths)
       JOIN stored ON stored.id = m.id
   )`,
  },
  /** The environment is mirrored. */
  copies: { parameters: 1, sql: (first: number): string => copyTriggers(`$${first}`) },
};
export type TriggerExtra = keyof typeof EXTRAS;

/** Triggers of one call of which some have these extras. */
export function insertWith(extras: TriggerExtra[]): string {
  let first = 14;
  let more = '';
  for (const extra of extras) {
    more += EXTRAS[extra].sql(first);
    first += EXTRAS[extra].parameters;
  }
  return insertTriggers(OF_ONE_CALL, { ...CHOSEN, more });
}

export const FIND_TRANSACTIONS = `
SELECT x.transaction_id, encode(t.fingerprint, 'hex') AS fingerprint
  FROM (${selectTransactions('$2::text[]')}) x JOIN trigger t ON t.id = x.trigger_id AND t.environment_id = $1`;

/**
 * The notifications of the transaction $2 of the environment $1, with the last id that a step of each can have. It is a
 * column, because row-level security does not let a tenant use an index for a condition with a function.
 */
const OF_TRANSACTION = `named AS MATERIALIZED (
  ${selectTransactions('ARRAY[$2::text]')}
), notifications AS MATERIALIZED (
  SELECT id, step_id(id, 254) AS last FROM notification
   WHERE environment_id = $1 AND trigger_id IN (SELECT trigger_id FROM named)
)`;

/** The notifications with the ids $2 of the environment $1. */
const OF_IDS = `notifications AS MATERIALIZED (
  SELECT id, step_id(id, 254) AS last FROM notification WHERE environment_id = $1 AND id = ANY ($2::uuid[])
)`;

/** Those of their steps that joined a digest. OFFSET keeps the lookup by id inside. */
const mergedSteps = (lock = ''): string => `
  SELECT s.* FROM notifications n CROSS JOIN LATERAL (
    SELECT * FROM step WHERE environment_id = $1 AND id > n.id AND id <= n.last AND state = 'merged'
    OFFSET 0 ${lock}) s`;

/** Runs first: cancellations of the same steps wait here, and the next statement sees what was written. */
const lockMergedSteps = (notifications: string): string =>
  `WITH ${notifications} SELECT 1 FROM (${mergedSteps('FOR UPDATE')}) locked`;

/**
 * Ends the open steps of the notifications that meet the condition, with the steps behind them. $3 and $4 are the
 * status and text of the detail. Steps that joined a digest have ended as merged: they end again as canceled, and the
 * digest does not collect them.
 */
const cancelSteps = (notifications: string, condition: string): string => `
WITH ${notifications}, opened AS (
  DELETE FROM work w
   WHERE w.id = ANY (ARRAY(SELECT o.id FROM notifications n CROSS JOIN LATERAL ${openSteps('n')} o))
     AND w.environment_id = $1 AND ${condition}
  RETURNING w.*
), ended AS (
  INSERT INTO step (id, environment_id, queued_at, state, type, step_key, schedule_extensions_count, digest, details)
  SELECT id, environment_id, queued_at, 'canceled', type, step_key, (progress ->> 'scheduleExtensionsCount')::int,
         progress -> 'digest', ${packedDetail('$3::text', '$4::text')}
    FROM opened
  UNION ALL
  SELECT step_id(notification_id, (l ->> 0)::int), environment_id, NULL, 'canceled', l ->> 2, l ->> 1, NULL, NULL,
         ${packedDetail('$3::text', '$4::text')}
    FROM opened CROSS JOIN LATERAL jsonb_array_elements(later_steps) l
), counted AS (${countOutcomes(`
  SELECT environment_id, workflow_id, id, type, 'skipped' AS outcome FROM opened
  UNION ALL
  SELECT environment_id, workflow_id, id, l ->> 2, 'skipped'
    FROM opened CROSS JOIN LATERAL jsonb_array_elements(later_steps) l`)}
), merged AS MATERIALIZED (${mergedSteps()}
), kept_details AS (${unpackDetails('merged')}
), changed AS (
  UPDATE step s SET state = 'canceled', ended_at = now(), details = ${packedDetail('$3::text', '$4::text')}
   WHERE s.id = ANY (ARRAY(SELECT id FROM merged)) AND s.environment_id = $1 AND s.state = 'merged'
  RETURNING s.id
)`;

/** The steps that were open, as the function that passes their digests on takes them. */
const OPENED = `
  (SELECT json_agg(json_build_object('id', id, 'dueAt', ${dueWithoutHold('opened')})) FROM opened) AS opened`;

/** A step that waits: for its timer, or for a hold. A message of a step with a mark may have been sent. */
const WAITS = `(w.is_delayed OR (w.hold_id IS NOT NULL AND w.sending_since IS NULL))`;

/** Cancels the transaction $2: its trigger while it waits, and its steps that wait. */
export const CANCEL_TRANSACTION = {
  lock: lockMergedSteps(OF_TRANSACTION),
  cancel: `${cancelSteps(OF_TRANSACTION, WAITS)}, waiting AS (
  DELETE FROM work WHERE id IN (SELECT trigger_id FROM named) AND environment_id = $1 AND type = 'trigger' RETURNING id
), triggers AS (
  UPDATE trigger SET outcome = 'canceled' WHERE id IN (SELECT id FROM waiting) AND environment_id = $1
)
SELECT (SELECT count(*) FROM waiting)::int + (SELECT count(*) FROM opened)::int
         + (SELECT count(*) FROM changed)::int AS canceled, ${OPENED}`,
};

/**
 * Cancels the open steps of the notifications $2, also queued ones. The mark before a provider call decides the race
 * with a worker: a step with a mark is left alone, and a step without its open row cannot be marked.
 */
export const CANCEL_NOTIFICATIONS = {
  lock: lockMergedSteps(OF_IDS),
  cancel: `${cancelSteps(OF_IDS, 'w.sending_since IS NULL')}
SELECT ARRAY(SELECT notification_id FROM opened UNION SELECT notification_of(id) FROM changed) AS canceled, ${OPENED}`,
};
