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
  @Text({ optional: true, description: 'Cursor; fetch results after it.' }) after?: string;
  @Text({ optional: true, description: 'Cursor; fetch results before it.' }) before?: string;
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;

  @Choice(ORDER_DIRECTIONS, { optional: true, description: 'Default DESC.' })
  orderDirection: OrderDirection = 'DESC';

  @QueryFlag({ description: "Include the cursor's item; it counts toward the limit." })
  includeCursor: boolean = false;
}

/** What every cursor list answers beside its `data` (spec 2.14). */
export class CursorEnvelope {
  @Text({
    nullable: true,
    description:
      'Cursor of the next page; null when there are no more pages. A page of large rows ends before `limit`.',
  })
  next!: string | null;

  @Text({
    nullable: true,
    description: 'Cursor of the previous page; null on the first page. A page past the end has one, too.',
  })
  previous!: string | null;

  @Whole({ description: `Matches, counted up to ${LIMITS.countCap}.` }) totalCount!: number;

  @Flag({ description: `True when there are more than ${LIMITS.countCap}.` })
  totalCountCapped!: boolean;
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
  @QueryWhole({ min: 0, default: 0, description: `page * limit may reach ${LIMITS.pageOffset}.` })
  page: number = 0;
}

/** What every page-based list answers beside its `data` (spec 2.14). */
export class PageEnvelope {
  @Flag() hasMore!: boolean;
  @Whole() pageSize!: number;
  @Whole() page!: number;
}
