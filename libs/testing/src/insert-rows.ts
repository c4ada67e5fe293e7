import { type Id, idAtTime, newId, timeOfId } from '@clarion/contracts/core';
import type { Database } from '@clarion/persistence';

/** A row whose ids may be plain strings: specs read many of them from responses. */
export type WithPlainIds<Row> = { [Name in keyof Row]: Row[Name] extends Id<string> ? string : Row[Name] };
export type Given<Row, Required extends keyof Row> = Partial<WithPlainIds<Row>> & Pick<WithPlainIds<Row>, Required>;

/** An id with this creation time. */
export const newIdAt = (time: Date): string => idAtTime(time.getTime()).slice(0, 14) + newId().slice(14);

export function stampsOf(given: { id?: string; createdAt?: Date }) {
  const id = given.id ?? (given.createdAt ? newIdAt(given.createdAt) : newId());
  const createdAt = given.createdAt ?? new Date(timeOfId(id));
  return { id, createdAt, updatedAt: createdAt };
}

/** Inserts all rows in one statement. */
export function insertRows<Row>(database: Database, table: string, rows: object[], onConflict = ''): Promise<Row[]> {
  if (rows.length === 0) return Promise.resolve([]);
  const records = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [snakeCase(name), value as unknown]),
    ),
  );
  const columns = [...new Set(records.flatMap(Object.keys))].map((column) => `"${column}"`).join(', ');
  return database.rows<Row>(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::public.${table}, $1) ${onConflict} RETURNING *`,
    [JSON.stringify(records)],
  );
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The row without these fields. */
export function omit<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name> {
  const rest: Partial<Row> = { ...row };
  for (const name of names) delete rest[name];
  return rest as Omit<Row, Name>;
}
