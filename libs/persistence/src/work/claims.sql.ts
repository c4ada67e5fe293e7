import { CHANNELS } from '@clarion/contracts/core';
import { AWAY_MS, CLAIM_BYTES, GRACE_MS, LEASE_MS } from './leases';
import { CAN_BE_LIVE, MAY_BE_LIVE, moveBound } from './oldest-open';

/*
 * The claim protocol in SQL. A claim is one row of `claim` for a batch. It writes nothing to the rows of `work`: a row
 * belongs to the claim while it has the fence that the claim read. Two processes may claim the same row at the same
 * moment. Only one of them can write: every write names the fence and raises it or deletes the row. Before a call to
 * the outside, the process marks the row, which is such a write.
 *
 * Every claim takes the ids as $1, their bounds as $2 and $3, the most crashes that a row may have as $4, the id of
 * the claim as $5 and the ended claims as $6.
 *
 * Statements that join `work` with rows by their ids also say `w.id = ANY (...)`. Statistics from a time without open
 * rows make Postgres expect one row in the table: without that condition it reads all open rows.
 */

/** The claimed rows, with ended leases too: these wait until the sweeper has counted the crash. */
const HELD_ROWS = `held AS MATERIALIZED (
  SELECT h.id, h.fence, c.id AS claim_id
    FROM claim c CROSS JOIN LATERAL unnest(c.work_ids, c.fences) AS h (id, fence)
   WHERE ${CAN_BE_LIVE} AND c.first_id <= $3::uuid AND c.last_id >= $2::uuid
)`;

/**
 * Whether the row `w` is due. Its time is rounded to milliseconds, so the present is too: a row that was opened in this
 * millisecond would otherwise be due only in the next one, and its job would come too early. Claims find rows by their
 * ids. The planner rates the index over all open rows as equally good, so conditions on its columns are expressions
 * that it does not match (`'' || w.type`).
 */
const IS_DUE = `w.due_at - now()::timestamptz(3) <= interval '0'`;

/** Whether no process works on the row `w`. */
const IS_FREE = `NOT EXISTS (
  SELECT 1 FROM held h WHERE h.id = w.id AND (h.fence = w.fence OR h.claim_id = w.claim_id))`;

/** `ended`, `held` and `picked`: the free rows of `work` that match the condition. */
const pickRows = (condition: string): string => `ended AS (
  DELETE FROM claim WHERE id = ANY ($6::uuid[])
), ${HELD_ROWS}, picked AS MATERIALIZED (
  SELECT w.* FROM work w
   WHERE w.id = ANY ($1::uuid[]) AND ${condition} AND ${IS_DUE} AND w.crash_count <= $4::int AND ${IS_FREE}
   ORDER BY w.id
)`;

/** The length of a JSON column as text. Values that are stored as they are need not be read for it. */
export const lengthOf = (column: string): string => `coalesce(CASE WHEN pg_column_compression(${column}) IS NULL
  THEN pg_column_size(${column}) ELSE octet_length(${column}::text) END, 0)`;

/** What a claim reads of the rows `picked c`, with the columns of it that may be large. */
export type ClaimedRows = {
  condition: string;
  /** Further expressions that the columns read. */
  more?: string;
  columns: string;
  tables: string;
  /** Columns of the row itself, and of what several rows share: only the first row of them has it. */
  own: readonly string[];
  shared: readonly string[];
  /** A column with the bytes of what is read of each row later. */
  later?: string;
};

const sumOf = (columns: readonly string[]): string =>
  columns.length === 0 ? '0' : columns.map((column) => lengthOf(`f.${column}`)).join(' + ');

/**
 * The first rows of `found`, in the order of `id`, whose values have `CLAIM_BYTES` together, and the next one.
 * `found_rows` is the number of all. Postgres measures, because the values of all rows would fill the memory of the
 * process and block its event loop.
 */
export const fittingRows = (own: readonly string[], shared: readonly string[] = [], later = '0'): string => `
  SELECT * FROM (
    SELECT *, count(*) OVER ()::int AS found_rows,
           sum(own_bytes + shared_bytes) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (SELECT f.*, ${sumOf(own)} + ${later} AS own_bytes, ${sumOf(shared)} AS shared_bytes
              FROM found f) measured) summed
   WHERE before IS NULL OR before < ${CLAIM_BYTES}`;

/** Picks rows, and claims and returns those that fit. The caller claims the others later. */
export const claimOf = ({ condition, more = '', columns, tables, own, shared, later }: ClaimedRows): string => `
WITH ${pickRows(condition)}, ${more}found AS MATERIALIZED (
  SELECT ${columns}
    FROM ${tables}
), fitting AS MATERIALIZED (${fittingRows(own, shared, later)}
), claimed AS (
  INSERT INTO claim (id, lease_until, first_id, last_id, work_ids, fences)
  SELECT $5::uuid, now() + interval '${LEASE_MS} milliseconds', $2::uuid, $3::uuid, array_agg(id), array_agg(fence)
    FROM fitting HAVING count(*) > 0
)
SELECT * FROM fitting ORDER BY id`;

/** A free row whose last holder crashed, and how often one did. */
export type Suspect<Id> = { id: Id; crashes: number };

export const FIND_SUSPECTS = `
WITH ${HELD_ROWS}
SELECT w.id, w.crash_count::int AS crashes FROM work w
 WHERE w.id = ANY ($1::uuid[]) AND w.crash_count > 0 AND ${IS_DUE} AND ${IS_FREE}`;

/** The counters end here: a row that cannot be run or ended must not make the statement for all rows fail. */
const COUNTED_CRASHES = 1_000;

/** What a crash of its holder changes in a row (`w`). The mark stays: a call was made. */
const COUNT_CRASH = `fence = w.fence + 1, crash_count = least(w.crash_count + 1, ${COUNTED_CRASHES}),
  attempt = least(w.attempt + 1, ${COUNTED_CRASHES}), claim_id = NULL, offered_at = NULL,
  was_offered_again = false, updated_at = now()`;

const OLDEST_CLAIM = `(
    SELECT ('x' || left(replace(c.id::text, '-', ''), 12))::bit(48)::bigint FROM claim c
     WHERE ${MAY_BE_LIVE} ORDER BY c.id LIMIT 1)`;

export const CHANNEL_NAMES = CHANNELS.map((channel) => `'${channel}'`).join();

/**
 * Counts a crash for the rows of claims whose lease has ended. When no sweeper has reached the database for a while,
 * the leases of living processes have ended too. Then the claims of channel workers wait: they get the time to renew
 * them, or to record what they have sent meanwhile. Those of engines do not: an engine calls no provider, so its work
 * can be repeated at once, and nothing is late when the engine is dead. All of this is decided by the clock of the
 * database, so a sweeper that has just started waits as well. The rows are found without a join (see `OFFER`).
 */
export const END_LAPSED_CLAIMS = `
WITH swept AS (
  INSERT INTO sweep (id, swept_at, grace_until) VALUES (1, now(), 'epoch')
  ON CONFLICT (id) DO UPDATE SET swept_at = now(), grace_until =
    CASE WHEN sweep.swept_at < now() - interval '${AWAY_MS} milliseconds'
         THEN now() + interval '${GRACE_MS} milliseconds' ELSE sweep.grace_until END
  RETURNING grace_until, ${moveBound('oldest_claim', OLDEST_CLAIM)} AS oldest
), lapsed AS (
  DELETE FROM claim c
   WHERE ${MAY_BE_LIVE} AND c.lease_until <= now() AND ((SELECT grace_until <= now() FROM swept) OR NOT EXISTS (
           SELECT 1 FROM work w WHERE w.id = ANY (c.work_ids) AND w.type IN (${CHANNEL_NAMES})))
  RETURNING c.id, c.work_ids, c.fences
), crashed AS (
  SELECT h.id, h.fence, l.id AS claim_id FROM lapsed l CROSS JOIN LATERAL unnest(l.work_ids, l.fences) AS h (id, fence)
)
UPDATE work w SET ${COUNT_CRASH}
 WHERE w.id = ANY (ARRAY(SELECT id FROM crashed))
   AND ((w.id, w.fence) IN (SELECT id, fence FROM crashed)
        OR w.claim_id IS NOT NULL AND w.claim_id IN (SELECT claim_id FROM crashed))`;

/** Counts a crash for rows ($1, with fences $2 and claims $3) that their holder gives up without an outcome. */
export const ABANDON = `
UPDATE work w SET ${COUNT_CRASH}
  FROM unnest($1::uuid[], $2::int[], $3::uuid[]) AS i (id, fence, claim_id)
 WHERE w.id = i.id AND w.id = ANY ($1::uuid[]) AND (w.fence = i.fence OR w.claim_id = i.claim_id)`;

export const RENEW_CLAIMS = `
UPDATE claim SET lease_until = now() + interval '${LEASE_MS} milliseconds' WHERE id = ANY ($1::uuid[])
RETURNING id`;

/** The end of a sweep. A sweep may take long; the time between two of them tells whether the database was away. */
export const END_SWEEP = `
UPDATE sweep SET swept_at = now() WHERE swept_at < now() - interval '1 second'`;
