import type { Pool, PoolClient } from 'pg';
import { type EnvironmentId, newId } from '@clarion/contracts';

/** The tables of one notification, in the order in which they are written. */
const TABLES = ['transaction', 'trigger', 'notification', 'step', 'message', 'execution_detail'] as const;
/** Columns with a default. */
const STAMPS = ['created_at', 'updated_at'];
const RENEWED = ['id', 'trigger_id', 'notification_id', 'step_id', 'message_id', 'transaction_id'];

type Row = Record<string, unknown>;
/** The rows that Clarion wrote for one notification, as a template for others. */
export type Pattern = { table: string; columns: Column[]; rows: Row[] }[];
type Column = { name: string; type: string };

/** Reads the newest completed notification. The baselines write the same rows with the same empty columns. */
export async function readPattern(pool: Pool, environmentId: EnvironmentId): Promise<Pattern> {
  const { rows: found } = await pool.query<{ id: string; trigger_id: string; transaction_id: string }>(
    `SELECT n.id, n.trigger_id, n.transaction_id FROM notification n JOIN step s ON s.notification_id = n.id
      WHERE n.environment_id = $1 AND s.state = 'completed' ORDER BY n.id DESC LIMIT 1`,
    [environmentId],
  );
  const { id, trigger_id: triggerId, transaction_id: transactionId } = found[0]!;
  const pattern: Pattern = [];
  for (const table of TABLES) {
    const [column, value] =
      table === 'transaction'
        ? ['transaction_id', transactionId]
        : table === 'trigger' || table === 'notification'
          ? ['id', table === 'trigger' ? triggerId : id]
          : ['notification_id', id];
    const { rows } = await pool.query<{ row: Row }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = $1 ORDER BY 1`,
      [value],
    );
    const { rows: all } = await pool.query<Column>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    );
    const columns = all.filter(({ name }) => !STAMPS.includes(name) && rows.some(({ row }) => row[name] !== null));
    pattern.push({
      table,
      columns,
      rows: rows.map(({ row }) => Object.fromEntries(columns.map(({ name }) => [name, row[name]]))),
    });
  }
  return pattern;
}

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
  const values = columns.map(({ name, type }) => (type === 'jsonb' ? JSON.stringify(row[name]) : row[name]));
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
