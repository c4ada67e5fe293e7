import type { CursorEnvelope, CursorOrder, CursorQuery } from '@clarion/contracts';
import { DomainError, type FieldErrors, isId, invalidField, LIMITS } from '@clarion/contracts/core';
import { cappedLists } from './capped-lists';
import type { Database } from '../connection/database';
import { leadingRows, type ListedColumns, readLeading, withoutLargeValues } from './page-bytes';

/**
 * Cursor lists. A page is read by comparing (sort value, id) with the cursor, never by counting rows: page 1,000 costs
 * as much as page 1, and a row that is deleted between two pages does not end the list. Ordered by id, the cursor is
 * the id. Ordered by a time, it holds the time and the id.
 */
export type CursorPage<Order extends CursorOrder = CursorOrder> = CursorQuery & {
  orderBy: Order;
  /** For lists in numbered pages, which older clients read instead of following a cursor. */
  offset?: number;
};

export type KeysetList = {
  /** The key of the list in the cache of counts. */
  name: string;
  select: string;
  /** FROM and JOIN; the listed table has the alias `t`. */
  from: string;
  where: string[];
  parameters: unknown[];
  /** Of a list that is also read in numbered pages: its columns, if some can be large. */
  columns?: ListedColumns;
};

/** A list with the column of `t` to order by; `id` breaks ties. */
type OrderedList = KeysetList & { orderBy: (typeof ORDER_COLUMNS)[CursorOrder] };

/** The column behind each `orderBy` of a cursor list. */
const ORDER_COLUMNS = { _id: 'id', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export type CursorResult<Row> = CursorEnvelope & { rows: Row[] };

type Position = { id: string; time?: string };

export async function readKeyset<Row extends { id: string; createdAt?: Date; updatedAt?: Date }>(
  database: Database,
  wanted: KeysetList,
  page: CursorPage,
): Promise<CursorResult<Row>> {
  refuseTwoCursors(page);
  const list = { ...wanted, orderBy: ORDER_COLUMNS[page.orderBy] };
  const cursor = page.before ?? page.after;
  const position =
    cursor === undefined
      ? undefined
      : decodeCursor(cursor, list.orderBy, page.before === undefined ? 'after' : 'before');
  const backward = page.before !== undefined;
  const descending = (page.orderDirection === 'DESC') !== backward;
  const [{ rows, isCut }, around] = await Promise.all([
    readPage<Row>(database, list, page, position, descending),
    readCount(database, list, position, page.includeCursor, descending),
  ]);
  const more = isCut || rows.length > page.limit;
  const items = rows.slice(0, page.limit);
  if (backward) items.reverse();
  // An empty page lies past one end of the list: the way back starts beside the cursor, so that its item is on it.
  const edge = position && items.length === 0 ? encodePosition(neighbour(position, descending), list.orderBy) : null;
  const first = items[0] ? encodeCursor(items[0], list.orderBy) : edge;
  const last = items.at(-1) ? encodeCursor(items.at(-1)!, list.orderBy) : edge;
  const [hasPrevious, hasNext] = backward ? [more, around.behind] : [around.behind, more];
  return {
    rows: items,
    next: hasNext ? last : null,
    previous: hasPrevious ? first : null,
    totalCount: Math.min(around.count, LIMITS.countCap),
    totalCountCapped: around.count > LIMITS.countCap,
  };
}

function refuseTwoCursors({ after, before }: CursorPage): void {
  if (after === undefined || before === undefined) return;
  const message = 'Cannot specify both "before" and "after" cursors at the same time.';
  const errors: FieldErrors = { after: { messages: [message] }, before: { messages: [message] } };
  throw new DomainError('bad_request', message, { errors });
}

/** `isCut`: the page ends before its limit, because its rows are large. */
async function readPage<Row>(
  database: Database,
  list: OrderedList,
  page: CursorPage,
  position: Position | undefined,
  descending: boolean,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const parameters = [...list.parameters];
  const where = [...list.where];
  if (position)
    where.push(
      compare(list.orderBy, `${descending ? '<' : '>'}${page.includeCursor ? '=' : ''}`, position, parameters),
    );
  const rows = `SELECT ${list.select} FROM ${list.from} WHERE ${where.join(' AND ')}
      ORDER BY ${orderOf(list, descending)}
        LIMIT ${page.limit + 1} OFFSET ${page.offset ?? 0}`;
  // The next page with a number begins where this one would have ended.
  if (page.offset !== undefined) {
    const sql = list.columns ? withoutLargeValues(rows, list.columns) : rows;
    return { rows: await database.rows<Row>(sql, parameters), isCut: false };
  }
  return readLeading(await database.rows<Row & { pageRows?: number }>(leadingRows(rows), parameters));
}

function orderOf({ orderBy }: OrderedList, descending: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  return orderBy === 'id' ? `t.id ${direction}` : `t.${orderBy} ${direction}, t.id ${direction}`;
}

/** The number of matching rows, at most one over the cap, and whether there are rows before the cursor. */
async function readCount(
  database: Database,
  list: OrderedList,
  position: Position | undefined,
  includeCursor: boolean,
  descending: boolean,
): Promise<{ count: number; behind: boolean }> {
  const remembered = cappedLists.get(list);
  if (remembered && !position) return { count: LIMITS.countCap + 1, behind: false };
  const parameters = [...list.parameters];
  const filters = list.where.join(' AND ');
  const count = remembered
    ? `${LIMITS.countCap + 1}`
    : `(SELECT count(*)::int FROM (SELECT 1 FROM ${list.from} WHERE ${filters} LIMIT ${LIMITS.countCap + 1}) counted)`;
  // Not EXISTS, which has no order: Postgres would search for any such row, and may read half the table to find one.
  const behind = position
    ? `(SELECT t.id FROM ${list.from} WHERE ${filters}
      AND ${compare(list.orderBy, `${descending ? '>' : '<'}${includeCursor ? '' : '='}`, position, parameters)}
         ORDER BY ${orderOf(list, !descending)} LIMIT 1) IS NOT NULL`
    : 'false';
  const [row] = await database.query<{ count: number; behind: boolean }>(
    `SELECT ${count} AS count, ${behind} AS behind`,
    parameters,
  );
  if (row!.count > LIMITS.countCap) cappedLists.remember(list);
  return row!;
}

function compare(orderBy: OrderedList['orderBy'], operator: string, position: Position, parameters: unknown[]): string {
  if (orderBy === 'id') return `t.id ${operator} $${parameters.push(position.id)}::uuid`;
  return `(t.${orderBy}, t.id) ${operator} ($${parameters.push(position.time)}::timestamptz,
    $${parameters.push(position.id)}::uuid)`;
}

function encodeCursor(
  row: { id: string; createdAt?: Date; updatedAt?: Date },
  orderBy: OrderedList['orderBy'],
): string {
  const time = orderBy === 'created_at' ? row.createdAt : row.updatedAt;
  return encodePosition({ id: row.id, time: time?.toISOString() }, orderBy);
}

function encodePosition({ id, time }: Position, orderBy: OrderedList['orderBy']): string {
  return orderBy === 'id' ? id : Buffer.from(`${time}|${id}`).toString('base64url');
}

/** The position directly after another one, in the direction of reading. */
function neighbour({ id, time }: Position, descending: boolean): Position {
  const number = BigInt(`0x${id.replaceAll('-', '')}`) + (descending ? -1n : 1n);
  const hex = BigInt.asUintN(128, number).toString(16).padStart(32, '0');
  return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), time };
}

/** The format that `encodeCursor` writes; JavaScript accepts more texts as a time than Postgres does. */
const isTime = (text: string): boolean =>
  /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function decodeCursor(cursor: string, orderBy: OrderedList['orderBy'], field: 'after' | 'before'): Position {
  if (orderBy === 'id') {
    if (isId(cursor)) return { id: cursor };
  } else {
    const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('|');
    if (isId(id) && isTime(time)) return { id, time };
  }
  throw invalidField(field, `${field} is not a cursor of this list and order`, cursor);
}
