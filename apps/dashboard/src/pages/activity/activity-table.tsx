import { useNavigate, useRouter } from '@tanstack/react-router';
import { memo, type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { useShortcut } from '../../ui/shortcuts';
import { Mark, outcomeTone, outcomeWord } from '../../ui/status';
import { Time } from '../../ui/time';
import type { ActivityRow } from './activity-data';
import styles from './activity.module.css';
import { Reason, StepList } from './step-list';
import { useVisibleRows } from './use-visible-rows';
import { shortId } from './words';

type Props = {
  rows: ActivityRow[];
  selected: ReadonlySet<string>;
  isEverySelected: boolean;
  /** Absent where nothing can be done with a selection. */
  onSelect?: (ids: string[], isSelected: boolean) => void;
  onEnd(): void;
};

/** A semantic table of which only the visible rows exist. The window scrolls, so that a phone shows whole rows. */
export function ActivityTable({ rows, selected, isEverySelected, onSelect, onEnd }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  // Nothing that is drawn depends on it: the browser marks the row with the focus.
  const active = useRef(-1);
  const { first, last, before, after, show } = useVisibleRows(body, rows.length);
  const links = useRowLinks();
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  }, [last, rows.length, onEnd]);

  const focusRow = (index: number): void => {
    if (index < 0 || index >= rows.length) return;
    active.current = index;
    show(index);
    body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true });
  };
  useShortcut('j', 'Next row', () => focusRow(active.current + 1));
  useShortcut('k', 'Previous row', () => focusRow(active.current - 1));
  useShortcut('Enter', 'Open the row', () => undefined);
  useShortcut('x', 'Select the row', () => {
    const row = rows[active.current];
    if (row) onSelect?.([row._id], !selected.has(row._id));
  });

  return (
    <div className={styles['tableFrame']}>
      <table className={styles['table']} aria-label="Notifications" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['choose']}>
              {onSelect ? (
                <input
                  type="checkbox"
                  aria-label="Select all"
                  checked={isEverySelected}
                  onChange={(event) =>
                    onSelect(
                      rows.map(({ _id }) => _id),
                      event.target.checked,
                    )
                  }
                />
              ) : (
                <span className="visually-hidden">Selection</span>
              )}
            </th>
            <th scope="col" className={styles['status']}>
              <span className="visually-hidden">Status</span>
            </th>
            <th scope="col">Notification</th>
            <th scope="col" className={styles['wide']}>
              Subscriber
            </th>
            <th scope="col" className={styles['stepsColumn']}>
              Steps
            </th>
            <th scope="col" className={styles['wide']}>
              Reason
            </th>
            <th scope="col" className={styles['widest']}>
              Transaction
            </th>
            <th scope="col" className={styles['timeColumn']}>
              Accepted
            </th>
          </tr>
        </thead>
        <tbody ref={body} onClick={links.open} onPointerOver={links.preload}>
          {before > 0 && <Spacer height={before} />}
          {rows.slice(first, last).map((row, place) => (
            <Row
              key={row._id}
              index={first + place}
              row={row}
              path={links.path}
              isSelected={isEverySelected || selected.has(row._id)}
              onSelect={onSelect}
              active={active}
            />
          ))}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
    </div>
  );
}

const ROUTE = '/activity/$notificationId';
const PLACE = '-';

/** The links of the rows. They are plain, because a link of the router takes a fifth of the time of its row. */
function useRowLinks() {
  const router = useRouter();
  const navigate = useNavigate();
  const { href } = router.buildLocation({ to: ROUTE, params: { notificationId: PLACE } });
  return {
    path: href,
    preload: () => void router.loadRouteChunk(router.routesByPath[ROUTE]),
    open: (event: MouseEvent): void => {
      const notificationId = (event.target as Element).closest('a')?.dataset['id'];
      const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (notificationId === undefined || isElsewhere || event.defaultPrevented) return;
      event.preventDefault();
      void navigate({ to: ROUTE, params: { notificationId } });
    },
  };
}

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden="true" className={styles['spacer']}>
    <td style={{ height }} />
  </tr>
);

type RowProps = {
  index: number;
  row: ActivityRow;
  path: string;
  isSelected: boolean;
  onSelect: Props['onSelect'];
  active: RefObject<number>;
};

/** Drawn again only when it changes: a scroll draws the rows that it brings. */
const Row = memo(({ index, row, path, isSelected, onSelect, active }: RowProps) => {
  const name = row.workflow?.name ?? 'Deleted workflow';
  const person = row.subscriber ? (row.subscriber.name ?? row.subscriber.subscriberId) : 'Deleted subscriber';
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      onFocus={() => (active.current = index)}
    >
      <td className={styles['choose']}>
        {onSelect && (
          <input
            type="checkbox"
            aria-label={`Select ${name} to ${person}`}
            checked={isSelected}
            onChange={(event) => onSelect([row._id], event.target.checked)}
          />
        )}
      </td>
      <td className={styles['status']}>
        <Mark tone={outcomeTone(row.outcome)} label={outcomeWord(row.outcome)} />
      </td>
      <td>
        <a href={path.replace(`/${PLACE}`, `/${row._id}`)} data-id={row._id} className={styles['rowLink']}>
          <bdi>{name}</bdi>
        </a>
        <span className={styles['narrow']}>
          <bdi>{person}</bdi> <Reason steps={row.steps} />
        </span>
      </td>
      <td className={styles['wide']} title={row.subscriber?.email ?? undefined}>
        <bdi className={styles['cut']}>{person}</bdi>
      </td>
      <td className={styles['stepsColumn']}>
        <StepList steps={row.steps} />
      </td>
      <td className={styles['wide']}>
        <Reason steps={row.steps} />
      </td>
      <td className={styles['widest']}>
        <bdi className={styles['code']} title={row.transactionId ?? undefined}>
          {shortId(row.transactionId)}
        </bdi>
      </td>
      <td className={styles['timeColumn']}>
        <Time at={row.createdAt} relative />
      </td>
    </tr>
  );
});
