import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts';
import { textIn } from './import-kind';
import type { Batch } from './import-progress';
import { isLocal, type SourceClient, SourceError, TooLargeError } from './source-client';

/** The largest page that the interface gives. */
const PAGE = 100;
/** So many empty pages in a row, each with a cursor to one more, are no list that ends. */
const EMPTY_PAGES = 100;

export class SourceLists {
  /** Cursors or first items of the pages so far: a source that repeats one would be read forever. */
  private seen: { path: string; marks: Set<string> } = { path: '', marks: new Set() };

  constructor(private readonly client: SourceClient) {}

  /** At least `size` items of a list with cursors, from the cursor on; fewer at its end. */
  async byCursor(path: string, after: Json, size: number): Promise<Batch<JsonObject>> {
    const items: JsonObject[] = [];
    let next = after;
    let total: number | null = null;
    let empty = 0;
    do {
      let page: Batch<JsonObject> & { total: number | null };
      try {
        page = await this.cursorPage(path, next, Math.min(PAGE, size));
      } catch (error) {
        // What was read before is kept. The next call meets the error again, without items.
        if (items.length > 0 && isUnreadable(error)) return { items, next, total };
        throw error;
      }
      items.push(...page.items);
      total = page.total;
      next = page.next;
      empty = page.items.length > 0 ? 0 : empty + 1;
      if (empty >= EMPTY_PAGES && next !== null) {
        throw new SourceError(`The source answered GET ${path} with ${empty} empty pages, and names another one`, 200);
      }
    } while (next !== null && items.length < size);
    return { items, next, total };
  }

  /** One page of a list with offsets: `{ [name]: [...], totalCount }`. */
  async byOffset(path: string, name: string, offset: Json, limit: number): Promise<Batch<JsonObject>> {
    const from = typeof offset === 'number' ? offset : 0;
    const query = { limit, offset: from, orderBy: 'createdAt', orderDirection: 'ASC' };
    const body = await this.client.object(path, query);
    const items = objectsIn(body[name], path);
    this.refuseRepeatedItem(path, items);
    const total = typeof body['totalCount'] === 'number' ? body['totalCount'] : null;
    const isLast = items.length === 0 || (total !== null ? from + items.length >= total : items.length < limit);
    return { items, next: isLast ? null : from + items.length, total };
  }

  private async cursorPage(
    path: string,
    after: Json,
    limit: number,
  ): Promise<Batch<JsonObject> & { total: number | null }> {
    for (let size = limit; ; size = Math.ceil(size / 10)) {
      try {
        return await this.readPage(path, typeof after === 'string' ? after : undefined, size);
      } catch (error) {
        if (!(error instanceof TooLargeError) || size === 1) throw error;
      }
    }
  }

  private async readPage(path: string, after: string | undefined, limit: number) {
    const body = await this.client.object(path, { limit, after, orderDirection: 'ASC' });
    const items = objectsIn(body['data'], path);
    const { next, totalCount, totalCountCapped } = body;
    const isMore = typeof next === 'string' && next !== '';
    if (isMore) this.refuseRepeated(path, 'cursor', next);
    this.refuseRepeatedItem(path, items);
    return {
      items,
      next: isMore ? next : null,
      // A count that was cut says nothing.
      total: typeof totalCount === 'number' && totalCountCapped !== true ? totalCount : null,
    };
  }

  /** A source that ignores cursors or offsets repeats its first page. */
  private refuseRepeatedItem(path: string, [first]: JsonObject[]): void {
    const id = first && textIn(first, '_id');
    if (id !== undefined) this.refuseRepeated(path, 'item', id);
  }

  private refuseRepeated(path: string, what: 'cursor' | 'item', text: string): void {
    if (this.seen.path !== path) this.seen = { path, marks: new Set() };
    const mark = `${what} ${text}`;
    if (this.seen.marks.has(mark)) throw new SourceError(`The source repeats the ${mark} of ${path}`, 200);
    this.seen.marks.add(mark);
  }
}

function objectsIn(value: Json | undefined, path: string): JsonObject[] {
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw new SourceError(`The source answered GET ${path} without a list of objects`, 200);
}

/** A page that cannot be read, unlike a list that names its pages without an end. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof TooLargeError || (error instanceof SourceError && error.status !== 200 && isLocal(error));
