import { idAtTime, LIMITS } from '@clarion/contracts/core';
import { cappedLists } from './capped-lists';
import type { Database } from '../connection/database';
import { searchable } from '../schema/row-level-security';

/**
 * Page-based lists of the partitioned tables, newest first. The order is by id where a row is written when its id is
 * made, and by `created_at` where it is not: the id of a message has the time of its step, and the message is written
 * after a delay, a digest or a snooze. The ids of a page are read from an index, then the rows of those ids, so a
 * skipped row costs only an index entry.
 */
export type NumberedPage = { offset: number; limit: number };

export type PageResult<Row> = { rows: Row[]; hasMore: boolean };

/** A column whose value must be in an array; `members` is SQL. `then` is the next column of its index. */
export type SetFilter = { column: string; members: string; then?: SetFilter };

export type PagedList = {
  table: 'message' | 'notification';
  /** The environment, as SQL; the first parameter unless it is stated. */
  environment?: string;
  /** Conditions on `t`; the environment is always added. */
  where: string[];
  parameters: unknown[];
  /** The column of the order; `id` breaks ties. */
  order: 'id' | 'created_at';
  /** The most selective first; each has an index that ends with the order. */
  sets: SetFilter[];
  /** A set with all rows in it, where no index has all rows of an environment in the order. */
  all?: SetFilter;
  /** Conditions on `t` whose index finds rows, but in no order. */
  sought?: string[];
};

/** The number of newest rows that are read before such an index is used. */
const NEWEST = 2_000;

export function oneOf(column: string, type: 'uuid' | 'text', values: string[], parameters: unknown[]): SetFilter {
  return { column, members: `$${parameters.push([...new Set(values)])}::${type}[]` };
}

/** Exactly these contexts, in any order; an empty list matches rows without context. */
export function hasContexts(keys: string[], parameters: unknown[]): string {
  if (keys.length === 0) return `(t.context_keys IS NULL OR t.context_keys = '{}')`;
  const place = `$${parameters.push(keys)}::text[]`;
  return `t.context_keys @> ${place} AND t.context_keys <@ ${place}`;
}

/**
 * The query of the ids of one page, and of one more row that shows whether another page follows. No index returns the
 * rows of several values in the order of ids: Postgres would sort all matching rows, or read the whole list to find
 * few. So the first set drives the query: each member is read separately, newest first and no further than the page
 * reaches, and the results are merged. `>=` and `<=` instead of `=`, and an order that starts with that column, leave
 * Postgres one index to use. Otherwise it also considers reading all ids and dropping the others, which is cheap on
 * average and reads the whole table for a workflow or a tenant that was busy last week and silent since.
 */
export function selectPageIds(list: PagedList, page: NumberedPage): string {
  const {
    where,
    sets: [driver, ...others],
    sought = [],
  } = list;
  const conditions = [...where, ...sought, ...others.map(isMember)].map((condition) => ` AND ${condition}`).join('');
  if (!driver && sought.length > 0) return selectSoughtIds(list, conditions, page);
  const { columns, newest } = orderOf(list);
  const window = `LIMIT ${page.limit + 1} OFFSET ${page.offset}`;
  const members = driver ?? list.all;
  if (!members) return selectNewest(list, columns, conditions, window);
  const limit = `LIMIT ${page.offset + page.limit + 1}`;
  return `${selectNewest(list, columns, conditions, limit, members)} ORDER BY ${newest} ${window}`;
}

/** The newest rows that meet the conditions: as many as the window has, of each member. */
function selectNewest(
  list: PagedList,
  columns: string,
  conditions: string,
  window: string,
  driver?: SetFilter,
): string {
  const { table, environment = '$1' } = list;
  const { newest } = orderOf(list);
  if (!driver) {
    return `SELECT ${columns} FROM ${table} t
             WHERE t.environment_id >= ${environment} AND t.environment_id <= ${environment}${conditions}
             ORDER BY t.environment_id DESC, ${newest} ${window}`;
  }
  const prefix = [driver, ...(driver.then ? [driver.then] : [])];
  const members = prefix.map((set, index) => `unnest(${set.members}) AS member_${index} (value)`).join(' CROSS JOIN ');
  const bounds = prefix.map(
    ({ column }, index) => `t.${column} >= member_${index}.value AND t.${column} <= member_${index}.value`,
  );
  const order = prefix.map(({ column }) => `t.${column} DESC`).join(', ');
  return `SELECT t.* FROM ${members}
           CROSS JOIN LATERAL (
             SELECT ${columns} FROM ${table} t
              WHERE t.environment_id = ${environment} AND ${bounds.join(' AND ')}${conditions}
              ORDER BY ${order}, ${newest} ${window}) t`;
}

function orderOf({ order }: PagedList): { columns: string; newest: string } {
  return order === 'id'
    ? { columns: 't.id', newest: 't.id DESC' }
    : { columns: 't.created_at, t.id', newest: 't.created_at DESC, t.id DESC' };
}

/** Frequent values fill a page from the newest rows; rare ones are found by an index without order. */
function selectSoughtIds(list: PagedList, conditions: string, page: NumberedPage): string {
  const { table, environment = '$1', sought = [] } = list;
  const { columns, newest } = orderOf(list);
  const wanted = page.offset + page.limit + 1;
  return `WITH newest AS MATERIALIZED (
            SELECT ${columns} FROM (${selectNewestRows(list, NEWEST)}) t
             WHERE ${sought.join(' AND ')} ORDER BY ${newest} LIMIT ${wanted})
          SELECT ${columns} FROM (
           SELECT ${columns} FROM newest t WHERE (SELECT count(*) FROM newest) = ${wanted}
            UNION ALL
           (SELECT ${columns} FROM ${searchable(table)} t
             WHERE t.environment_id >= ${environment} AND t.environment_id <= ${environment}${conditions}
               AND (SELECT count(*) FROM newest) < ${wanted}
             ORDER BY t.environment_id DESC, ${newest} LIMIT ${wanted})) t
          ORDER BY ${newest} LIMIT ${page.limit + 1} OFFSET ${page.offset}`;
}

/** The newest rows of the list before its sets and sought conditions. */
function selectNewestRows(list: PagedList, limit: number): string {
  const conditions = list.where.map((condition) => ` AND ${condition}`).join('');
  const rows = selectNewest(list, 't.*', conditions, `LIMIT ${limit}`, list.all);
  return `SELECT t.* FROM (${rows}) t ORDER BY ${orderOf(list).newest} LIMIT ${limit}`;
}

/** A condition without an index is searched among the newest rows, which bounds the search. */
export function amongNewest(list: PagedList, condition: string): SetFilter {
  const rows = selectNewestRows(list, LIMITS.searchedHistory);
  return { column: 'id', members: `ARRAY(SELECT t.id FROM (${rows}) t WHERE ${condition})` };
}

export const isMember = ({ column, members, then }: SetFilter): string =>
  `t.${column} = ANY (${members})${then ? ` AND ${isMember(then)}` : ''}`;

export function toPage<Row>(rows: Row[], { limit }: NumberedPage): PageResult<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The number of matching rows, at most one more than the cap. */
export async function countUpToCap(database: Database, list: PagedList): Promise<number> {
  const { table, parameters, sought = [] } = list;
  const where = ['t.environment_id = $1', ...list.where, ...sought, ...list.sets.map(isMember)];
  const counted = { name: table, where, parameters };
  if (cappedLists.get(counted)) return LIMITS.countCap + 1;
  const count = await database.value<number>(
    `SELECT count(*)::int AS count
       FROM (SELECT 1 FROM ${sought.length > 0 ? searchable(table) : table} t WHERE ${where.join(' AND ')}
         LIMIT ${LIMITS.countCap + 1}) counted`,
    parameters,
  );
  if (count > LIMITS.countCap) cappedLists.remember(counted);
  return count;
}

export const CLOCK_SLACK = 3600 * 1000;

/** Ids have the time of their process. With an hour of tolerance, Postgres skips partitions beyond a time. */
export const smallestIdSince = (milliseconds: number): string => idAtTime(milliseconds - CLOCK_SLACK);
export const largestIdUntil = (milliseconds: number): string => idAtTime(milliseconds + CLOCK_SLACK);
