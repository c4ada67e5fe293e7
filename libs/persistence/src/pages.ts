import { idAtTime, LIMITS } from '@clarion/contracts';
import { cappedLists } from './capped-lists';
import type { Database } from './database';

/**
 * Page-based lists of the partitioned tables, newest first. The ids of a page are read from an index, then the whole rows of
 * those ids alone, so that a row which is skipped costs an index entry and no more.
 */
export type NumberedPage = { offset: number; limit: number };

export type PageResult<Row> = { rows: Row[]; hasMore: boolean };

/** A column that must have one value, or one of the members of an array; both are SQL. */
export type SetFilter = { column: string } & ({ value: string } | { members: string });

export type PagedList = {
  table: 'message' | 'notification';
  /** Conditions on `t`. */
  where: string[];
  parameters: unknown[];
  /** The most selective first; each column has an index on (environment_id, column, id). */
  sets: SetFilter[];
};

/** A filter by a list of values that the caller gave. */
export function oneOf(column: string, type: 'uuid' | 'text', values: string[], parameters: unknown[]): SetFilter {
  const [value, ...others] = new Set(values);
  if (value !== undefined && others.length === 0) return { column, value: `$${parameters.push(value)}::${type}` };
  return { column, members: `$${parameters.push([...new Set(values)])}::${type}[]` };
}

/** Exactly these contexts, in any order; none of them asks for rows without context. */
export function hasContexts(keys: string[], parameters: unknown[]): string {
  if (keys.length === 0) return `(t.context_keys IS NULL OR t.context_keys = '{}')`;
  const place = `$${parameters.push(keys)}::text[]`;
  return `t.context_keys @> ${place} AND t.context_keys <@ ${place}`;
}

/**
 * Query of the ids of one page, and of one row more that tells whether another page follows.
 *
 * No index gives the rows of several values in order of id: Postgres would sort all that match, or walk the whole list to
 * find few. So the first set drives the query when it has several members: each member is walked on its own, newest first
 * and no further than the page reaches, and the walks are merged.
 */
export function selectPageIds({ table, where, sets }: PagedList, { offset, limit }: NumberedPage): string {
  const driver = sets[0] && 'members' in sets[0] ? sets[0] : undefined;
  const conditions = [...where, ...sets.filter((set) => set !== driver).map(isMember)].join(' AND ');
  const window = `ORDER BY t.id DESC LIMIT ${limit + 1} OFFSET ${offset}`;
  if (!driver) return `SELECT t.id FROM ${table} t WHERE ${conditions} ${window}`;
  return `SELECT t.id FROM unnest(${driver.members}) AS member (value)
           CROSS JOIN LATERAL (
             SELECT t.id FROM ${table} t WHERE ${conditions} AND t.${driver.column} = member.value
              ORDER BY t.id DESC LIMIT ${offset + limit + 1}) t
           ${window}`;
}

/** The filter as a plain condition. */
export function isMember(set: SetFilter): string {
  return 'value' in set ? `t.${set.column} = ${set.value}` : `t.${set.column} = ANY (${set.members})`;
}

export function toPage<Row>(rows: Row[], { limit }: NumberedPage): PageResult<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** How many rows match, up to one more than the cap. */
export async function countUpToCap(database: Database, list: PagedList): Promise<number> {
  const { table, parameters } = list;
  const counted = { name: table, where: [...list.where, ...list.sets.map(isMember)], parameters };
  if (cappedLists.get(counted)) return LIMITS.countCap + 1;
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM (SELECT 1 FROM ${table} t WHERE ${counted.where.join(' AND ')} LIMIT ${LIMITS.countCap + 1}) counted`,
    parameters,
  );
  if (row!.count > LIMITS.countCap) cappedLists.remember(counted);
  return row!.count;
}

const CLOCK_SLACK = 3600 * 1000;

/**
 * Ids carry the time of the process that made them, which may differ from the time the database noted. With an hour between
 * them, a bound on the time is also a bound on the ids, and Postgres leaves out the partitions beyond it.
 */
export const smallestIdSince = (milliseconds: number): string => idAtTime(milliseconds - CLOCK_SLACK);
export const largestIdUntil = (milliseconds: number): string => idAtTime(milliseconds + CLOCK_SLACK);
