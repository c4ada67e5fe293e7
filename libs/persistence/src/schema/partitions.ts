import { idAtTime, timeOfId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { isMissingPartition } from '../connection/database-errors';

/**
 * The tables that grow without limit. Each is partitioned by week, by the time inside its UUIDv7 ids; `maintenance.ts`
 * creates the weeks ahead and drops those past retention. There is no default partition on purpose: rows in it would
 * make the next ATTACH scan it and fail. An insert without a partition creates it and runs again (`withPartitions`).
 */
export const PARTITIONED_TABLES = [
  'trigger',
  'notification',
  'step',
  'message',
  'execution_detail',
  'attachment',
  'event_log_entry',
  'event_log_batch',
] as const;

export const WEEK = 7 * 24 * 3600 * 1000;
const WEEKS_AHEAD = 4;

/** Two-integer advisory locks, so that they never meet the one-integer keys of the queue's own migrations. */
export const LOCK_SPACE = 0x434c; // "CL"
export const LOCKS = {
  migrate: 1,
  partitions: 2,
  maintenance: 3,
  bootstrap: 4,
  outcomeCounts: 5,
  environments: 6,
  eventLog: 7,
} as const;

const weekOf = (milliseconds: number): number => Math.floor(milliseconds / WEEK);

function partitionName(table: string, week: number): string {
  return `${table}_w${new Date(week * WEEK).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

export async function databaseTime(database: Database): Promise<number> {
  const [row] = await database.query<{ now: number }>(`SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now`);
  return row!.now;
}

type Partition = { table: string; name: string; week: number };

export async function listPartitions(database: Database): Promise<Partition[]> {
  const rows = await database.query<{ table: string; name: string }>(
    `SELECT parent.relname AS "table", child.relname AS name
       FROM pg_inherits
       JOIN pg_class child ON child.oid = inhrelid
       JOIN pg_class parent ON parent.oid = inhparent
      WHERE parent.relkind = 'p' AND parent.relname = ANY ($1) AND parent.relnamespace = current_schema()::regnamespace
      ORDER BY 1, 2`,
    [PARTITIONED_TABLES],
  );
  return rows.map((row) => {
    const [year, month, day] = row.name
      .match(/_w(\d{4})(\d\d)(\d\d)$/)!
      .slice(1)
      .map(Number);
    return { ...row, week: weekOf(Date.UTC(year!, month! - 1, day!)) };
  });
}

/**
 * Creates the weeks from `from` (default: last week, for slow clocks) to some weeks ahead. A new partition is created
 * beside its parent and then attached, which blocks neither reads nor writes.
 */
export async function ensurePartitions(database: Database, span: Span = {}): Promise<number> {
  let made = 0;
  for (const { table, name, week } of await findMissing(database, span)) {
    made += await makePartition(database, table, name, week);
  }
  return made;
}

/** The names of the partitions that should exist now and do not. */
export async function listMissingPartitions(database: Database): Promise<string[]> {
  return (await findMissing(database)).map(({ name }) => name);
}

type Span = { from?: number; to?: number };

async function findMissing(database: Database, span: Span = {}): Promise<Partition[]> {
  const now = await databaseTime(database);
  const first = weekOf(span.from ?? now - WEEK);
  const last = weekOf(span.to ?? now + WEEKS_AHEAD * WEEK);
  const present = new Set((await listPartitions(database)).map((partition) => partition.name));
  const wanted = PARTITIONED_TABLES.flatMap((table) =>
    Array.from({ length: last - first + 1 }, (_, at) => ({
      table,
      name: partitionName(table, first + at),
      week: first + at,
    })),
  );
  return wanted.filter(({ name }) => !present.has(name));
}

/** Creates the missing week at once: accepted events must not depend on maintenance having run. */
export async function withPartitions<T>(database: Database, insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await database.apart(() => ensurePartitions(database));
    return database.again(insert);
  }
}

function makePartition(database: Database, table: string, name: string, week: number): Promise<number> {
  return database.transaction(async () => {
    await database.query(`SELECT pg_advisory_xact_lock($1, $2)`, [LOCK_SPACE, LOCKS.partitions]);
    const [row] = await database.query<{ exists: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS exists`, [name]);
    if (row!.exists) return 0;
    await database.query(`CREATE TABLE ${name} (LIKE "${table}" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await database.query(
      `ALTER TABLE "${table}" ATTACH PARTITION ${name}
         FOR VALUES FROM ('${idAtTime(week * WEEK)}') TO ('${idAtTime((week + 1) * WEEK)}')`,
    );
    return 1;
  });
}

/** Notifications of the week after a trigger may need its payload and its files. */
const KEPT_LONGER: readonly string[] = ['trigger', 'attachment'] satisfies (typeof PARTITIONED_TABLES)[number][];

/**
 * Drops every week that ended before the retention window began and that no open work needs: a step that waits for a
 * month needs its notification, the outputs of the steps before it and the payload of its trigger.
 */
export async function dropExpiredPartitions(database: Database, retentionDays: number): Promise<string[]> {
  const cutoff = (await databaseTime(database)) - retentionDays * 24 * 3600 * 1000;
  const needed = Math.min(cutoff, await oldestOpenWork(database));
  const expired = (await listPartitions(database)).filter(({ table, week }) => {
    const keptWeeks = KEPT_LONGER.includes(table) ? 1 : 0;
    return (week + 1 + keptWeeks) * WEEK <= cutoff && (week + 1) * WEEK <= needed;
  });
  for (const { name } of expired) await database.query(`DROP TABLE IF EXISTS ${name}`);
  return expired.map(({ name }) => name);
}

/**
 * The time of the oldest trigger, notification or step that is open, that an open step belongs to, or that joined an
 * open digest.
 */
async function oldestOpenWork(database: Database): Promise<number> {
  const [row] = await database.query<{ id: string | null }>(
    `WITH members AS MATERIALIZED (
       SELECT s.id, n.trigger_id FROM step s JOIN work w ON w.id = s.digest_master_id
         JOIN notification n ON n.environment_id = s.environment_id AND n.id = notification_of(s.id)
        WHERE s.digest_master_id IS NOT NULL AND s.state = 'merged'
     )
     SELECT least((SELECT id FROM work ORDER BY id LIMIT 1), (SELECT trigger_id FROM work ORDER BY trigger_id LIMIT 1),
                  (SELECT id FROM members ORDER BY id LIMIT 1),
                  (SELECT trigger_id FROM members ORDER BY trigger_id LIMIT 1)) AS id`,
  );
  return row!.id === null ? Number.POSITIVE_INFINITY : timeOfId(row!.id);
}
