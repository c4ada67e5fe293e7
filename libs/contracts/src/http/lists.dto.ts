import { LIMITS } from '../limits';
import { ORDER_DIRECTIONS, type OrderDirection } from '../vocabulary';
import { Choice, Flag, QueryFlag, QueryWhole, Text, Whole } from './fields';

/** What a cursor list can be ordered by; lists of things that never change leave `updatedAt` out. */
export const CURSOR_ORDER = ['_id', 'createdAt', 'updatedAt'] as const;
export const UNCHANGING_ORDER = ['_id', 'createdAt'] as const;
export type CursorOrder = (typeof CURSOR_ORDER)[number];
export type UnchangingOrder = (typeof UNCHANGING_ORDER)[number];

/** Parameters of every cursor list (spec 4.0); each list adds its own `orderBy` and filters. */
export class CursorQuery {
  @Text('Cursor; fetch results after it.', { optional: true }) after?: string;
  @Text('Cursor; fetch results before it.', { optional: true }) before?: string;
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;
  @Choice(ORDER_DIRECTIONS, 'Default DESC.', { optional: true }) orderDirection: OrderDirection = 'DESC';
  @QueryFlag("Include the cursor's item; it counts toward the limit.") includeCursor: boolean = false;
}

/** What every cursor list answers beside its `data` (spec 2.14). */
export class CursorEnvelope {
  @Text('Cursor of the next page; null when there are no more pages. A page of large rows ends before `limit`.', {
    nullable: true,
  })
  next!: string | null;

  @Text('Cursor of the previous page; null on the first page. A page past the end has one, too.', { nullable: true })
  previous!: string | null;

  @Whole(`Matches, counted up to ${LIMITS.countCap}.`) totalCount!: number;
  @Flag(`True when there are more than ${LIMITS.countCap}.`) totalCountCapped!: boolean;
}

/** The mark of a row in a page-based list whose rows are larger than a page may be. */
export const LEFT_OUT = {
  optional: true,
  description:
    'Fields whose values were left out because the page would be too large: more than ' +
    `${LIMITS.pageBytes / 1024 / 1024} MiB. A smaller page shows them.`,
} as const;

/** The same in an answer about one thing. */
export const LEFT_OUT_OF_ONE = {
  optional: true,
  description: 'Fields whose values were left out because all messages together would be too large.',
} as const;

/** The parameter that page-based lists share; each list adds its own `limit` and filters. */
export class PageQuery {
  @QueryWhole(`page * limit may reach ${LIMITS.pageOffset}.`, { min: 0, default: 0 }) page: number = 0;
}

/** What every page-based list answers beside its `data` (spec 2.14). */
export class PageEnvelope {
  @Flag() hasMore!: boolean;
  @Whole() pageSize!: number;
  @Whole() page!: number;
}
