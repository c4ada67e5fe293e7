import type { ReactNode } from 'react';
import styles from './ui.module.css';

export type Column<T> = { name: string; isNumber?: boolean; cell(row: T): ReactNode };

/** A table for lists of a page or two; the activity has a separate table for long lists. */
export function Table<T>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey(row: T): string;
}) {
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
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} className={isNumber ? styles['number'] : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
