import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../ui/page';
import { Mark, outcomeTone, outcomeWord } from '../../ui/status';
import { formatNumber, plural, Time } from '../../ui/time';
import { type ErrorGroup, sampleQuery } from './activity-data';
import styles from './groups.module.css';
import { filtersOfGroup } from './reason-actions';
import type { ActivityFilters } from './search';
import { StepList } from './step-list';
import { shortId } from './words';

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
const A_DAY_MS = 86_400_000;
const [WIDTH, HEIGHT, GAP] = [4, 22, 1];
/** A bar that is there is seen. */
const LEAST = 2;

/** When the steps of a group ended. The label says in words what the bars show. */
export function GroupBars({ group: { bars, count, outcome } }: { group: ErrorGroup }) {
  const { counts } = bars;
  const [from, until] = [Date.parse(bars.from), Date.parse(bars.until)];
  const clock = until - from > A_DAY_MS ? DAY : CLOCK;
  const word = (place: number): string => clock.format(from + ((until - from) * place) / counts.length);
  const most = Math.max(...counts);
  const top = counts.indexOf(most);
  const range = `between ${word(0)} and ${word(counts.length)}`;
  const label = `${plural(count, 'step')} ${range}, most at ${word(top)}: ${formatNumber(most)}`;
  return (
    <span className={styles['bars']} role="img" aria-label={label} title={label}>
      <svg viewBox={`0 0 ${counts.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((each, place) => {
          const height = each === 0 ? 0 : Math.max(LEAST, (each / most) * HEIGHT);
          return (
            <rect
              key={place}
              x={place * WIDTH}
              y={HEIGHT - height}
              width={WIDTH - GAP}
              height={height}
              fill={`var(--${outcomeTone(outcome)}-mark)`}
            />
          );
        })}
      </svg>
    </span>
  );
}

/** The newest notifications of a group. */
export function GroupRows({ group, filters }: { group: ErrorGroup; filters: ActivityFilters }) {
  const wanted = filtersOfGroup(group, filters);
  const query = useQuery(sampleQuery(wanted));
  return (
    <>
      <Loaded query={query} lines={3}>
        {({ data }) => (
          <ul className={styles['rows']} aria-label={`Newest notifications: ${group.reason ?? 'no reason'}`}>
            {data.map(({ _id, outcome, workflow, subscriber, steps, transactionId, createdAt }) => (
              <li key={_id}>
                <Mark tone={outcomeTone(outcome)} label={outcomeWord(outcome)} />
                <Link to="/activity/$notificationId" params={{ notificationId: _id }}>
                  <bdi>{workflow?.name ?? 'Deleted workflow'}</bdi>
                </Link>
                <bdi>{subscriber?.name ?? subscriber?.subscriberId ?? 'Deleted subscriber'}</bdi>
                <StepList steps={steps} />
                <code title={transactionId ?? undefined}>{shortId(transactionId)}</code>
                <Time at={createdAt} relative />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p className={styles['all']}>
        <Link to="/activity" search={wanted}>
          Show all as a list
        </Link>
      </p>
    </>
  );
}
