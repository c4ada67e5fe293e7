import { LIMITS } from '@clarion/contracts/core';
import { getMetadataArgsStorage } from 'typeorm';
import { columnName } from '../connection/column-names';

/**
 * Lists are limited in bytes, not only in rows: a page of rows with large JSON would block the process for seconds and
 * fill its memory. Postgres measures, so what is above the limit never reaches the process.
 *
 * A list with a cursor ends its page earlier (`leadingRows`). A page with a number must have all its rows, so large
 * values are left out of it, and `left_out` names them (`withoutLargeValues`).
 */

/** Postgres renders rows to measure them and stops at this one: it renders one page at most. */
const fullAt = (rows: string, bytes: string, most: number = LIMITS.pageBytes): string => `
  (SELECT place FROM (
     SELECT row_number() OVER () AS place, sum(${bytes}) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM ${rows}) summed
    WHERE summed.bytes > ${most} LIMIT 1)`;

/** The rows of a query that fit on a page, and `least` in any case. `page_rows` is the number of rows of the query. */
export const leadingRows = (rows: string, { least = 1, bytes = LIMITS.pageBytes as number } = {}): string => `
  WITH listed AS MATERIALIZED (${rows}), page AS MATERIALIZED (
    SELECT count(*)::int AS page_rows, ${fullAt('listed each', 'octet_length(each::text)', bytes)} - 1 AS fitting
      FROM listed)
  SELECT listed.*, page_rows FROM page CROSS JOIN listed
   LIMIT (SELECT greatest(${least}, coalesce(fitting, page_rows)) FROM page)`;

/** Such rows without `page_rows`, and whether the query has more. */
export function readLeading<Row>(found: (Row & { pageRows?: number })[]): { rows: Row[]; isCut: boolean } {
  const isCut = (found[0]?.pageRows ?? 0) > found.length;
  for (const row of found) delete row.pageRows;
  return { rows: found, isCut };
}

/** All rows with these ids, page by page; `read` asks for the leading rows of those ids that are left. */
export async function* leadingPages<Id, Row>(
  ids: Id[],
  read: (left: Id[]) => Promise<(Row & { pageRows?: number })[]>,
  idOf: (row: Row) => Id,
): AsyncGenerator<Row[]> {
  for (let left = ids; left.length > 0;) {
    const { rows, isCut } = readLeading<Row>(await read(left));
    yield rows;
    if (!isCut) return;
    const found = new Set(rows.map(idOf));
    left = left.filter((id) => !found.has(id));
  }
}

/** The columns whose values were too large for the page; null when there are none. */
export type LeftOut = { leftOut: string[] | null };

/** Columns of a query: those that can be large, each with the SQL of what stands for a large value, and all others. */
export type ListedColumns = { large: Readonly<Record<string, string>>; others: readonly string[] };

/** All columns of an entity, also those of the classes that it extends. */
export const columnsOf = (entity: new () => object): string[] =>
  getMetadataArgsStorage()
    .filterColumns(withBases(entity))
    .map(({ propertyName }) => columnName(propertyName));

const withBases = (entity: object): (new () => object)[] =>
  entity === Function.prototype
    ? []
    : [entity as new () => object, ...withBases(Object.getPrototypeOf(entity) as object)];

export const listedColumns = (entity: new () => object, large: ListedColumns['large']): ListedColumns => ({
  large,
  others: columnsOf(entity).filter((column) => !Object.hasOwn(large, column)),
});

/** Postgres compresses JSON at least this much: what is larger by this estimate is not expanded to measure it. */
const COMPRESSION = 8;

/** A page within the limit has all values; a larger one leaves out those above a quarter of a row's share. */
export function withoutLargeValues(rows: string, { large, others }: ListedColumns): string {
  const columns = Object.entries(large).map(([name, instead]) => {
    const value = `listed."${name}"`;
    const isLeftOut = `CASE
      WHEN NOT is_above THEN false
      WHEN pg_column_size(${value}) * CASE WHEN pg_column_compression(${value}) IS NULL THEN 1 ELSE ${COMPRESSION} END
        > most THEN true
      ELSE coalesce(octet_length(${value}::text), 0) > most END`;
    return {
      size: `coalesce(octet_length(${value}::text), 0)`,
      shown: `CASE WHEN "no ${name}" THEN ${instead} ELSE ${value} END AS "${name}"`,
      isLeftOut: `${isLeftOut} AS "no ${name}"`,
      leftOut: `CASE WHEN "no ${name}" THEN '${name}' END`,
    };
  });
  const leftOut = `array_remove(ARRAY[${columns.map((column) => column.leftOut).join(', ')}], NULL)`;
  return `
  WITH listed AS MATERIALIZED (${rows}
  ), page AS MATERIALIZED (
    SELECT ${fullAt('listed', columns.map(({ size }) => size).join(' + '))} IS NOT NULL AS is_above,
           ${LIMITS.pageBytes} / 4 / greatest(count(*), 1) AS most
      FROM listed
  )
  SELECT ${[...others.map((name) => `listed."${name}"`), ...columns.map(({ shown }) => shown)].join(', ')},
         nullif(${leftOut}, '{}') AS left_out
    FROM page CROSS JOIN listed CROSS JOIN LATERAL (
      SELECT ${columns.map(({ isLeftOut }) => isLeftOut).join(', ')} OFFSET 0) decided`;
}
