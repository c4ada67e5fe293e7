import type { CursorResult } from '@clarion/persistence';

export function cursorEnvelope<Row, Item>(result: CursorResult<Row>, toItem: (row: Row) => Item) {
  const { rows, ...envelope } = result;
  return { data: rows.map(toItem), ...envelope };
}

/** The fields of an item whose columns were left out of a page; undefined when there are none. */
export function fieldsLeftOut(
  leftOut: string[] | null,
  fieldOf: Readonly<Record<string, string>>,
): string[] | undefined {
  const fields = leftOut?.flatMap((column) => fieldOf[column] ?? []) ?? [];
  return fields.length > 0 ? fields : undefined;
}

/** Removes null and undefined members. The interface leaves out absent fields instead of sending null. */
export function withoutNulls<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], null>;
  };
}
