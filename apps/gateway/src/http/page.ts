import type { CursorResult } from '@clarion/persistence';

/** The cursor envelope of the interface around mapped rows. */
export function cursorEnvelope<Row, Item>(result: CursorResult<Row>, toItem: (row: Row) => Item) {
  const { rows, ...envelope } = result;
  return { data: rows.map(toItem), ...envelope };
}

/** Fields that are absent must be left out, not sent as null. */
export function withoutNulls<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], null>;
  };
}
