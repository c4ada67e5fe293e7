import type { Database } from '../connection/database';
import { LOCKS, tryLock } from '../schema/partitions';

/** Rows that one statement moves: far below the time limit of a statement. */
const MOVED_ROWS = 20_000;

/** Counts are kept by minute for this time, then by hour. */
export const MINUTES_KEPT_HOURS = 48;

export const COUNTED = ['accepted', 'delivered', 'failed', 'skipped', 'in_doubt', 'replayed', 'recovered'] as const;

/** The time of a row after it is merged: its minute, or its hour when it is older. */
const MERGED_AT = `
  CASE WHEN at < now() - interval '${MINUTES_KEPT_HOURS} hours' THEN date_trunc('hour', at, 'UTC') ELSE at END`;

/** Adds the counts of the rows `moved` to the rows of their keys. */
const ADD_MOVED = `
INSERT INTO outcome_count AS c (environment_id, at, workflow_id, channel, ${COUNTED.join(', ')})
SELECT environment_id, ${MERGED_AT}, workflow_id, channel, ${COUNTED.map((name) => `sum(${name})`).join(', ')}
  FROM moved GROUP BY 1, 2, 3, 4
ON CONFLICT ON CONSTRAINT outcome_count_pkey DO UPDATE SET
  ${COUNTED.map((name) => `${name} = c.${name} + excluded.${name}`).join(', ')}`;

/** All rows, also those of the present minute: at any time a count is in exactly one of the two tables. */
const MERGE_DELTAS = `
WITH moved AS (
  DELETE FROM outcome_delta WHERE id = ANY (ARRAY(SELECT id FROM outcome_delta LIMIT ${MOVED_ROWS}))
  RETURNING environment_id, at, workflow_id, channel, ${COUNTED.join(', ')}
), added AS (${ADD_MOVED}
)
SELECT count(*)::int AS moved FROM moved`;

/** The row of an hour has the time of its first minute and is not moved. */
const MERGE_MINUTES = `
WITH moved AS (
  DELETE FROM outcome_count WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM outcome_count
     WHERE at < now() - interval '${MINUTES_KEPT_HOURS} hours' AND at <> date_trunc('hour', at, 'UTC')
     LIMIT ${MOVED_ROWS}))
  RETURNING environment_id, at, workflow_id, channel, ${COUNTED.join(', ')}
), added AS (${ADD_MOVED}
)
SELECT count(*)::int AS moved FROM moved`;

/** Adds up what statements wrote since the last call. One process at a time does it; the others return at once. */
export const mergeDeltas = (database: Database): Promise<number> => merge(database, MERGE_DELTAS);

/** Merges minutes that are old enough into hours. */
export const mergeMinutes = (database: Database): Promise<number> => merge(database, MERGE_MINUTES);

/** Each statement is one transaction, which holds the lock against other processes. */
async function merge(database: Database, statement: string): Promise<number> {
  for (let total = 0; ;) {
    const moved = await database.transaction(async () => {
      const held = await tryLock(database, LOCKS.outcomeCounts);
      return held ? database.value<number>(statement) : 0;
    });
    total += moved;
    if (moved < MOVED_ROWS) return total;
  }
}
