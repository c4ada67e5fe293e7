import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Button } from './button';
import { Loaded } from './page';
import { formatNumber, plural } from './time';
import styles from './ui.module.css';

export type Column<T> = { name: string; isNumber?: boolean; cell(row: T): ReactNode };

type TableProps<T> = {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey(row: T): string;
  /** What can be done with a row, if the reader may. */
  actions?: false | ((row: T) => ReactNode);
  /** What is shown below a row, over all columns. */
  below?(row: T): ReactNode;
};

/** A table for lists of a page or two; the activity has a separate table for long lists. */
export function Table<T>({ label, columns, rows, rowKey, actions, below }: TableProps<T>) {
  return (
    <div className={styles['tableFrame']} tabIndex={0} role="region" aria-label={label}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber ? styles['number'] : undefined}>
                {name}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const more = below?.(row);
            return (
              <Fragment key={rowKey(row)}>
                <tr>
                  {columns.map(({ name, isNumber, cell }) => (
                    <td key={name} data-column={name} className={isNumber ? styles['number'] : undefined}>
                      {cell(row)}
                    </td>
                  ))}
                  {actions && <td className={styles['rowActions']}>{actions(row)}</td>}
                </tr>
                {more && (
                  <tr className={styles['below']}>
                    <td colSpan={columns.length + (actions ? 1 : 0)}>{more}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type CursorTableProps<T> = Omit<TableProps<T>, 'rows'> & {
  query: UseQueryResult<CursorList & { data: T[] }>;
  one: string;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  onMove(cursor: Cursor): void;
};

export function CursorTable<T>({ query, one, empty, onMove, ...table }: CursorTableProps<T>) {
  return (
    <Loaded query={query} lines={6}>
      {(list) =>
        list.data.length === 0 ? (
          empty
        ) : (
          <>
            <Table {...table} rows={list.data} />
            <Pager list={list} one={one} onMove={onMove} />
          </>
        )
      }
    </Loaded>
  );
}

export type CursorList = {
  next: string | null;
  previous: string | null;
  totalCount: number;
  totalCountCapped: boolean;
};

export type Cursor = { after?: string; before?: string };

function Pager({ list, one, onMove }: { list: CursorList; one: string; onMove(cursor: Cursor): void }) {
  const { next, previous, totalCount, totalCountCapped } = list;
  return (
    <nav className={styles['actions']} aria-label="Pages">
      <span aria-live="polite">
        {totalCountCapped ? `More than ${formatNumber(totalCount)} ${one}s` : plural(totalCount, one)}
      </span>
      {previous !== null && (
        <Button onClick={() => onMove({ before: previous, after: undefined })}>Previous page</Button>
      )}
      {next !== null && <Button onClick={() => onMove({ after: next, before: undefined })}>Next page</Button>}
    </nav>
  );
}
