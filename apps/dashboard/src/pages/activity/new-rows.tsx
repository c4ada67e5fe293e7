import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useShortcut } from '../../ui/shortcuts';
import { formatNumber } from '../../ui/time';
import { countNewer, reloadActivity, replaceRows } from './activity-data';
import styles from './activity.module.css';
import type { ActivityFilters } from './search';
import { useActivityStream } from './use-activity-stream';
import { chosenFilters } from './words';

/** With filters, new notifications are counted by a search, at most once in this time. */
const COUNT_EVERY_MS = 2_000;

/** Says how many rows are new. They appear when the reader asks for them, so that no row moves under the pointer. */
export function NewRows({ filters, newestId }: { filters: ActivityFilters; newestId: string | undefined }) {
  const [count, setCount] = useState(0);
  const [isOnline, setOnline] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const isFiltered = chosenFilters(filters).length > 0;

  const countLater = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      countNewer(filters, newestId).then(setCount, () => undefined);
    }, COUNT_EVERY_MS);
  };
  useActivityStream({
    onNew: (added) => (isFiltered ? countLater() : setCount((before) => before + added)),
    onChanged: (rows) => replaceRows(filters, rows),
    onOnline: setOnline,
    newestId: () => newestId,
  });
  const show = (): void => {
    setCount(0);
    window.scrollTo({ top: 0 });
    void reloadActivity(filters);
  };
  useShortcut('n', 'Show the new notifications', () => count > 0 && show());
  const state = !isOnline ? 'offline' : count > 0 ? 'paused' : 'live';
  return (
    <div className={styles['live']} data-state={state} aria-live="polite">
      <i aria-hidden="true" />
      <p>
        <strong>{STATES[state].word}</strong> {STATES[state].says}
      </p>
      {count > 0 && (
        <Button onClick={show}>
          <Icon name="up" size={14} />
          {formatNumber(count)} new
        </Button>
      )}
    </div>
  );
}

const STATES = {
  live: { word: 'Live', says: 'Rows in flight change here; new ones are counted.' },
  paused: { word: 'Paused', says: 'New rows wait, so that nothing moves while you read.' },
  offline: { word: 'Offline', says: 'The stream has ended; it is opened again every 2 seconds.' },
};
