import { Button } from './button';
import { formatNumber, plural } from './time';
import styles from './ui.module.css';

export type CursorList = {
  next: string | null;
  previous: string | null;
  totalCount: number;
  totalCountCapped: boolean;
};

export type Cursor = { after?: string; before?: string };

/** The number of items of a cursor list, and the ways to the pages beside this one. */
export function Pager({ list, one, onMove }: { list: CursorList; one: string; onMove(cursor: Cursor): void }) {
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
