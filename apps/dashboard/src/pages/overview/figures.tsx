import { classes } from '../../ui/classes';
import { formatShare } from '../../ui/share';
import { Badge, Mark, type Outcome, outcomeTone } from '../../ui/status';
import { formatNumber, plural } from '../../ui/time';
import { ActivityLink } from './activity-link';
import styles from './overview.module.css';
import type { Overview } from './queries';
import { type Parts, partsOf } from './series';

const FIGURES = [
  { name: 'accepted', word: 'Accepted' },
  { name: 'delivered', word: 'Delivered', outcome: 'delivered' },
  { name: 'failed', word: 'Failed', outcome: 'failed' },
  { name: 'skipped', word: 'Skipped', outcome: 'skipped' },
  { name: 'inFlight', word: 'In flight', outcome: 'in_flight' },
  { name: 'inDoubt', word: 'In doubt', outcome: 'in_doubt' },
] as const satisfies { name: keyof Overview['totals']; word: string; outcome?: Outcome }[];

/** The six figures, each with a link to its notifications, and whether they add up. */
export function Figures({ overview }: { overview: Overview }) {
  const { totals, after, before } = overview;
  const parts = partsOf(overview, '');
  const more: Partial<Record<keyof Overview['totals'], string>> = {
    delivered: parts.recovered > 0 ? `${formatNumber(parts.recovered)} by replay` : '',
    inFlight: waitsOf(parts),
  };
  return (
    <>
      <dl className={styles['figures']}>
        {FIGURES.map((figure) => {
          const value = totals[figure.name];
          const status = 'outcome' in figure ? [figure.outcome] : undefined;
          return (
            <div key={figure.name} className={classes(styles['figure'], styles[figure.name])}>
              <dt>
                {'outcome' in figure && <Mark tone={outcomeTone(figure.outcome)} />}
                {figure.word}
              </dt>
              <dd>
                <ActivityLink filter={{ status, after, before }} className={styles['value']}>
                  {formatNumber(value)}
                </ActivityLink>
                <span className={styles['share']}>
                  {status
                    ? [formatShare(value, totals.accepted), more[figure.name]].filter(Boolean).join(', ')
                    : 'channel steps'}
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
      <Reconciliation overview={overview} />
    </>
  );
}

/** What of the steps in flight is held or tried again, in words. */
export const waitsOf = ({ held, retrying }: Parts): string =>
  [held > 0 && `${formatNumber(held)} held`, retrying > 0 && `${formatNumber(retrying)} retrying`]
    .filter(Boolean)
    .join(', ');

function Reconciliation({ overview: { totals, reconciles, difference, channels } }: { overview: Overview }) {
  const parts = FIGURES.slice(1).map(({ name, word }) => `${formatNumber(totals[name])} ${word.toLowerCase()}`);
  const wrong = channels
    .filter((channel) => channel.difference !== 0)
    .map(({ channel }) => channel)
    .join(', ');
  const much = difference > 0 ? 'missing' : 'too many';
  return (
    <p className={styles['sum']}>
      {reconciles ? <Badge tone="good">Adds up</Badge> : <Badge tone="bad">Does not add up</Badge>}
      <span>
        {formatNumber(totals.accepted)} accepted = {parts.join(' + ')}
      </span>
      {!reconciles && (
        <strong>
          {difference === 0
            ? `The channels ${wrong} differ from their sums.`
            : `${plural(Math.abs(difference), 'step')} ${much} (${wrong}).`}
        </strong>
      )}
    </p>
  );
}
