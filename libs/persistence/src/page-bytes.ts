import { LIMITS } from '@clarion/contracts/core';
import { getMetadataArgsStorage } from 'typeorm';
import { columnName } from './column-names';

/**
 * Lists are limited in bytes, not only in rows: a page of rows with large JSON would block the process for seconds and
 * fill its memory. Postgres measures, so what is above the limit never reaches the process.
 *
 * A list with a cursor ends its page earlier (`leadingRows`). A page with a number must have all its rows, so large
 * values are left out of it, and `left_out` names them (`withoutLargeValues`).
 */

/** The rows of a query that fit on a page, and `least` in any case. `page_rows` is the number of rows of the query. */
export const leadingRows = (rows: string, least = 1): string => `
  WITH listed AS MATERIALIZED (${rows})
  SELECT listed.*, (SELECT count(*)::int FROM listed) AS page_rows FROM listed
   LIMIT greatest(${least}, (SELECT count(*) FROM (
     SELECT sum(octet_length(each::text)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM listed each) summed
      WHERE summed.bytes <= ${LIMITS.pageBytes}))`;

/** Such rows without `page_rows`, and whether the query has more. */
export function readLeading<Row>(found: (Row & { pageRows?: number })[]): { rows: Row[]; isCut: boolean } {
  const isCut = (found[0]?.pageRows ?? 0) > found.length;
  for (const row of found) delete row.pageRows;
  return { rows: found, isCut };
}

/** The columns whose values were too large for the page; null when there are none. */
export type LeftOut = { leftOut: string[] | null };

/** Columns of a query: those that can be large, each with the SQL of what stands for a large value, and all others. */
export type ListedColumns = { large: Readonly<Record<string, string>>; others: readonly string[] };

/** All columns of an entity. */
export const columnsOf = (entity: new () => object): string[] =>
  getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName }) => columnName(propertyName));

export const listedColumns = (entity: new () => object, large: ListedColumns['large']): ListedColumns => ({
  large,
  others: columnsOf(entity).filter((column) => !Object.hasOwn(large, column)),
});

/**
 * The rows of a query. A page within the limit has all values. In a larger page every row has its share: rows above it
 * lose the values that are larger than a quarter of it.
 */
export function withoutLargeValues(rows: string, { large, others }: ListedColumns): string {
  const columns = Object.entries(large).map(([name, instead]) => {
    const isLeftOut = `(is_large AND sized."${name}" > share / 4)`;
    return {
      size: `coalesce(octet_length("${name}"::text), 0) AS "${name}"`,
      shown: `CASE WHEN ${isLeftOut} THEN ${instead} ELSE listed."${name}" END AS "${name}"`,
      leftOut: `CASE WHEN ${isLeftOut} THEN '${name}' END`,
    };
  });
  const bytes = Object.keys(large)
    .map((name) => `"${name}"`)
    .join(' + ');
  return `
  WITH listed AS MATERIALIZED (SELECT row_number() OVER () AS place, found.* FROM (${rows}) found
  ), measured AS MATERIALIZED (
    SELECT place, ${columns.map(({ size }) => size).join(', ')} FROM listed
  ), shares AS MATERIALIZED (
    SELECT sum(${bytes}) > ${LIMITS.pageBytes} AS is_above, ${LIMITS.pageBytes} / greatest(count(*), 1) AS share
      FROM measured
  ), sized AS MATERIALIZED (
    SELECT measured.*, share, is_above AND ${bytes} > share AS is_large FROM measured CROSS JOIN shares
  )
  SELECT ${[...others.map((name) => `listed."${name}"`), ...columns.map(({ shown }) => shown)].join(', ')},
         CASE WHEN is_large THEN array_remove(ARRAY[${columns.map(({ leftOut }) => leftOut).join(', ')}], NULL)
         END AS left_out
    FROM listed JOIN sized ON sized.place = listed.place ORDER BY listed.place`;
}
