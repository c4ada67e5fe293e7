import { idAtTime } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { isMissingPartition } from '../connection/database-errors';

/**
 * The tables that grow without limit. Each is partitioned by week or day, by the time inside its UUIDv7 ids.
 * `maintenance.ts` creates partitions ahead, and `retention.ts` drops those past retention. There is no default
 * partition on purpose: rows in it would make the next ATTACH scan it and fail. An insert without a partition creates
 * it and runs again (`withPartitions`).
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

const DAY = 24 * 3600 * 1000;
export const WEEK = 7 * DAY;

/** How much time a new partition has; those that exist keep theirs. */
export type PartitionLength = 'week' | 'day';
const LENGTHS = { week: WEEK, day: DAY };
/** How far ahead of now partitions exist. */
const AHEAD = { week: 4 * WEEK, day: WEEK };

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

/** Takes the lock until the end of the transaction; false if another process has it. */
export const tryLock = (database: Database, lock: number): Promise<boolean> =>
  database.value<boolean>(`SELECT pg_try_advisory_xact_lock($1, $2)`, [LOCK_SPACE, lock]);

function partitionName(table: string, from: number, length: number): string {
  const letter = length === DAY ? 'd' : 'w';
  return `${table}_${letter}${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

export function databaseTime(database: Database): Promise<number> {
  return database.value<number>(`SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now`);
}

/** The end of the name of a remainder. */
export const REMAINDER = '_kept';

/** `from` and `to` are the times of its ids. */
export type Partition = {
  table: (typeof PARTITIONED_TABLES)[number];
  name: string;
  from: number;
  to: number;
  /** It has only the rows that open work needs (`retention.ts`). */
  isRemainder: boolean;
  /** A detachment was interrupted: no statement reads the partition any more. */
  isPending: boolean;
};

export async function listPartitions(database: Database): Promise<Partition[]> {
  const rows = await database.rows<Pick<Partition, 'table' | 'name' | 'isPending'>>(
    `SELECT parent.relname AS "table", child.relname AS name, inhdetachpending AS is_pending
       FROM pg_inherits
       JOIN pg_class child ON child.oid = inhrelid
       JOIN pg_class parent ON parent.oid = inhparent
      WHERE parent.relkind = 'p' AND parent.relname = ANY ($1) AND parent.relnamespace = current_schema()::regnamespace
      ORDER BY 1, 2`,
    [PARTITIONED_TABLES],
  );
  return rows.map((row) => {
    const [, letter, year, month, day] = /_([dw])(\d{4})(\d\d)(\d\d)(?:_kept)?$/.exec(row.name)!;
    const from = Date.UTC(Number(year), Number(month) - 1, Number(day));
    return { ...row, isRemainder: row.name.endsWith(REMAINDER), from, to: from + (letter === 'd' ? DAY : WEEK) };
  });
}

/** The history of the table is whole since then. */
export async function keptSince(database: Database, table: Partition['table']): Promise<number> {
  const whole = (await listPartitions(database)).filter((one) => one.table === table && !one.isRemainder);
  return Math.min(...whole.map(({ from }) => from));
}

type Span = { from?: number; to?: number; length?: PartitionLength };

/** From the one before now, for slow clocks. Made beside the parent and attached, which blocks nothing. */
export async function ensurePartitions(database: Database, span: Span = {}): Promise<number> {
  let made = 0;
  for (const partition of await findMissing(database, span)) made += await makePartition(database, partition);
  return made;
}

/** The names of the partitions that should exist now and do not. */
export async function listMissingPartitions(database: Database): Promise<string[]> {
  return (await findMissing(database)).map(({ name }) => name);
}

type NewPartition = Omit<Partition, 'isPending' | 'isRemainder'>;

/** Without a length, new partitions are as long as the newest one that exists. */
async function findMissing(database: Database, span: Span = {}): Promise<NewPartition[]> {
  const [now, present] = [await databaseTime(database), await listPartitions(database)];
  const newest = present.reduce((last, one) => (one.to > last.to ? one : last), { from: 0, to: WEEK });
  const length = span.length ?? (newest.to - newest.from === DAY ? 'day' : 'week');
  const step = LENGTHS[length];
  const first = Math.floor((span.from ?? now - step) / step);
  const last = Math.floor((span.to ?? now + AHEAD[length]) / step);
  return PARTITIONED_TABLES.flatMap((table) => {
    const existing = present.filter((partition) => partition.table === table);
    return Array.from({ length: last - first + 1 }, (_, at) =>
      uncovered(table, existing, (first + at) * step, step),
    ).flat();
  });
}

/** A week of which some days exist gets the other days. */
function uncovered(
  table: Partition['table'],
  existing: readonly Partition[],
  from: number,
  length: number,
): NewPartition[] {
  const to = from + length;
  if (!existing.some((one) => one.from < to && one.to > from)) {
    return [{ table, name: partitionName(table, from, length), from, to }];
  }
  if (length === DAY) return [];
  return Array.from({ length: length / DAY }, (_, day) => uncovered(table, existing, from + day * DAY, DAY)).flat();
}

/** Creates the missing partition at once: accepted events must not depend on maintenance having run. */
export async function withPartitions<T>(database: Database, insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await database.apart(() => ensurePartitions(database));
    return database.again(insert);
  }
}

function makePartition(database: Database, { table, name, from, to }: NewPartition): Promise<number> {
  return database.transaction(async () => {
    await database.query(`SELECT pg_advisory_xact_lock($1, $2)`, [LOCK_SPACE, LOCKS.partitions]);
    const exists = await database.value<boolean>(`SELECT to_regclass($1) IS NOT NULL AS exists`, [name]);
    if (exists) return 0;
    await createDetached(database, { table, name });
    await attach(database, { table, name, from, to });
    return 1;
  });
}

export async function createDetached(
  database: Database,
  { table, name }: Pick<Partition, 'table' | 'name'>,
): Promise<void> {
  await database.query(`CREATE TABLE ${name} (LIKE "${table}" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
}

export async function attach(database: Database, { table, name, from, to }: NewPartition): Promise<void> {
  await database.query(
    `ALTER TABLE "${table}" ATTACH PARTITION ${name} FOR VALUES FROM ('${idAtTime(from)}') TO ('${idAtTime(to)}')`,
  );
}
