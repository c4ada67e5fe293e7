import type { Pool, PoolClient } from 'pg';
import { type EnvironmentId, newId } from '@clarion/contracts';
import { newestCompleted } from './progress-sql';

/** The tables of one notification, in the order in which they are written. */
const TABLES = ['transaction', 'trigger', 'notification', 'step', 'message', 'execution_detail'] as const;
/** Columns with a default. */
const STAMPS = ['created_at', 'updated_at', 'ended_at'];
const RENEWED = ['id', 'trigger_id', 'notification_id', 'step_id', 'message_id', 'transaction_id'];

/** The tables that the caller's request writes; the worker writes the rest. */
const ACCEPTED_TABLES: readonly string[] = ['transaction', 'trigger'];

type Row = Record<string, unknown>;
/** The rows that Clarion wrote for one notification, as a template for others. */
export type Pattern = { table: string; columns: Column[]; rows: Row[] }[];
type Column = { name: string; type: string };

/**
 * Reads the newest completed notification. The baselines write the same rows with the same empty columns; a table in
 * which this notification has no row is left out.
 */
export async function readPattern(pool: Pool, environmentId: EnvironmentId): Promise<Pattern> {
  const id = await newestCompleted(pool, environmentId);
  const [notification] = await rowsOf(pool, 'notification', 'id', id);
  const [trigger] = await rowsOf(pool, 'trigger', 'id', notification!['trigger_id']);
  const pattern: Pattern = [];
  for (const table of TABLES) {
    const rows =
      table === 'trigger'
        ? [trigger!]
        : table === 'notification'
          ? [notification!]
          : table === 'transaction'
            ? await rowsOf(pool, table, 'transaction_id', trigger!['transaction_id'])
            : await rowsOfNotification(pool, table, id!);
    if (rows.length === 0) continue;
    const columns = (await columnsOf(pool, table)).filter(
      ({ name }) => !STAMPS.includes(name) && rows.some((row) => row[name] !== null),
    );
    pattern.push({
      table,
      columns,
      rows: rows.map((row) => Object.fromEntries(columns.map(({ name }) => [name, row[name]]))),
    });
  }
  return pattern;
}

/** No rows if there is no such table: not every schema has all of them. */
async function rowsOf(pool: Pool, table: string, column: string, value: unknown): Promise<Row[]> {
  const { rows: found } = await pool.query<{ exists: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS exists`, [
    table,
  ]);
  if (!found[0]!.exists) return [];
  const { rows } = await pool.query<{ row: Row }>(
    `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = $1 ORDER BY 1`,
    [value],
  );
  return rows.map(({ row }) => row);
}

/** By the notification that the row names, or that the id of its step names in all digits but the last two. */
async function rowsOfNotification(pool: Pool, table: string, id: string): Promise<Row[]> {
  const names = (await columnsOf(pool, table)).map(({ name }) => name);
  if (names.includes('notification_id')) return rowsOf(pool, table, 'notification_id', id);
  return rowsOf(pool, table, `left(${table === 'step' ? 'id' : 'step_id'}::text, -2)`, id.slice(0, -2));
}

/** The columns that an INSERT may name. */
async function columnsOf(pool: Pool, table: string): Promise<Column[]> {
  const { rows } = await pool.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  return rows;
}

/** How many of the first tables are written when a call is accepted. */
export const acceptedTables = (pattern: Pattern): number =>
  pattern.filter(({ table }) => ACCEPTED_TABLES.includes(table)).length;

/** The rows of one more notification, table by table. */
export function rowsLike(pattern: Pattern, subscriberId: string): Row[][] {
  const renewed = new Map<unknown, string>();
  const renew = (name: string, value: unknown): string => {
    let fresh = renewed.get(value);
    if (fresh === undefined) renewed.set(value, (fresh = name === 'transaction_id' ? `txn_${newId()}` : newId()));
    return fresh;
  };
  return pattern.map(({ rows }) =>
    rows.map((row) => {
      const copy: Row = { ...row };
      for (const name of RENEWED) if (copy[name] != null) copy[name] = renew(name, copy[name]);
      if ('subscriber_id' in copy) copy['subscriber_id'] = subscriberId;
      return copy;
    }),
  );
}

/** Any number of rows in one statement. */
export function insertRows(client: PoolClient, { table, columns }: Pattern[number], rows: Row[]): Promise<unknown> {
  const names = columns.map(({ name }) => `"${name}"`).join();
  const types = columns.map(({ name, type }) => `"${name}" ${type}`).join();
  return client.query({
    name: `bench-${table}`,
    text: `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_to_recordset($1) AS r (${types})`,
    values: [JSON.stringify(rows)],
  });
}

/** Inserts one row the obvious way. */
export function insertRow(pool: Pool, { table, columns }: Pattern[number], row: Row): Promise<unknown> {
  const names = columns.map(({ name }) => `"${name}"`).join();
  const placeholders = columns.map((_, index) => `$${index + 1}`).join();
  const values = columns.map(({ name, type }) => (type.startsWith('json') ? JSON.stringify(row[name]) : row[name]));
  return pool.query(`INSERT INTO ${table} (${names}) VALUES (${placeholders})`, values);
}

const BATCH = 500;

/**
 * The bare cost of the rows: notifications per second with two connections, 500 per transaction, one statement per
 * table.
 */
export async function insertRaw(pool: Pool, pattern: Pattern, subscriberIds: string[], count: number): Promise<number> {
  const begin = performance.now();
  let left = count;
  const lane = async (): Promise<void> => {
    const client = await pool.connect();
    try {
      while (left > 0) {
        const size = Math.min(BATCH, left);
        left -= size;
        const copies = Array.from({ length: size }, (_, at) =>
          rowsLike(pattern, subscriberIds[(left + at) % subscriberIds.length]!),
        );
        await client.query('BEGIN');
        for (const [index, part] of pattern.entries())
          await insertRows(
            client,
            part,
            copies.flatMap((copy) => copy[index]!),
          );
        await client.query('COMMIT');
      }
    } finally {
      client.release();
    }
  };
  await Promise.all([lane(), lane()]);
  return count / ((performance.now() - begin) / 1000);
}
