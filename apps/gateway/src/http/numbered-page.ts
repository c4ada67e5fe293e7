import { invalidField, LIMITS } from '@clarion/contracts';
import type { NumberedPage, PageResult } from '@clarion/persistence';

type PageRequest = { page: number; limit: number };

/** Where a page starts. Every row before it is counted off one by one, so there is an end to how far one may jump. */
export function numberedPage({ page, limit }: PageRequest): NumberedPage {
  const offset = page * limit;
  if (offset > LIMITS.pageOffset) {
    throw invalidField('page', `page * limit must not be greater than ${LIMITS.pageOffset}`, page);
  }
  return { offset, limit };
}

/** The page envelope of the interface around mapped rows. */
export function pageEnvelope<Row, Item>(
  { page, limit }: PageRequest,
  { rows, hasMore }: PageResult<Row>,
  toItem: (row: Row) => Item,
) {
  return { data: rows.map(toItem), hasMore, pageSize: limit, page };
}
