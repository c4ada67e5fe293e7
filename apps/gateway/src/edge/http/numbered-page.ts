import { invalidField, LIMITS } from '@clarion/contracts';
import type { NumberedPage, PageResult } from '@clarion/persistence';

type PageRequest = { page: number; limit: number };

/** Computes the offset of a page. The database has to read every row before the offset, so the offset is limited. */
export function numberedPage({ page, limit }: PageRequest): NumberedPage {
  const offset = page * limit;
  if (offset > LIMITS.pageOffset) {
    throw invalidField('page', `page * limit must not be greater than ${LIMITS.pageOffset}`, page);
  }
  return { offset, limit };
}

export function pageEnvelope<Row, Item>(
  { page, limit }: PageRequest,
  { rows, hasMore }: PageResult<Row>,
  toItem: (row: Row) => Item,
) {
  return { data: rows.map(toItem), hasMore, pageSize: limit, page };
}
