import { useState } from 'react';
import { CHANNEL_NAMES } from '../../api/channels';
import { useProviderName } from '../../api/providers';
import { Mark, outcomeTone, outcomeWord } from '../../ui/status';
import { formatNumber, plural, Time } from '../../ui/time';
import { GroupBars, GroupRows, GroupToggle, keyOfGroup } from '../activity/group-parts';
import { filtersOfGroup, HoldCause, ReasonActions } from '../activity/reason-actions';
import type { ActivityFilters } from '../activity/search';
import { ActivityLink } from './activity-link';
import type { OpenIncident } from './incidents';
import styles from './overview.module.css';
import type { ErrorGroup, Overview } from './queries';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const SHOWN = 5;

type Range = Pick<Overview, 'after' | 'before'>;
type RowProps = { group: ErrorGroup; range: Range; onReplay(filters: ActivityFilters): void };

export function Incident({
  incident,
  overview,
  onReplay,
}: Omit<RowProps, 'group' | 'range'> & {
  incident: OpenIncident;
  overview: Overview;
}) {
  const { providerId, channel, groups, since, steps, people, share } = incident;
  const range = { after: overview.after, before: overview.before };
  const name = CHANNEL_NAMES[channel];
  const tried = overview.retrying.filter((each) => each.providerId === providerId && each.channel === channel);
  const nameOf = useProviderName();
  return (
    <article className={styles['incident']}>
      <header>
        <Mark tone="bad" size={24} />
        <div>
          <h2>{providerId ? `${nameOf(providerId)} refuses ${name}` : `${name} cannot be sent`}</h2>
          <p>
            <span>
              Since <Time at={since} relative />
            </span>
            <span>
              <strong>{plural(people, 'person', 'people')}</strong> did not get{' '}
              <strong>{plural(steps, 'message')}</strong>
            </span>
            <span>
              {PERCENT.format(share)} of {name}
            </span>
            {tried.map(({ reason, count, nextAt }) => (
              <span key={reason}>
                <strong>{formatNumber(count)}</strong> retrying, next <Time at={nextAt} relative />
              </span>
            ))}
          </p>
        </div>
        <div>
          <HoldCause providerId={providerId} channel={channel} isPrimary />
        </div>
      </header>
      <ReasonRows groups={groups.slice(0, SHOWN)} range={range} onReplay={onReplay} />
      {groups.length > SHOWN && (
        <p className={styles['moreReasons']}>
          <ActivityLink filter={{ status: ['failed', 'in_doubt'], channel: [channel], ...range }}>
            {plural(groups.length - SHOWN, 'more reason')}
          </ActivityLink>
        </p>
      )}
    </article>
  );
}

export function ReasonRows({ groups, range, onReplay }: Omit<RowProps, 'group'> & { groups: ErrorGroup[] }) {
  return (
    <ul className={styles['reasons']}>
      {groups.map((group) => (
        <ReasonRow key={keyOfGroup(group)} group={group} range={range} onReplay={onReplay} />
      ))}
    </ul>
  );
}

function ReasonRow({ group, range, onReplay }: RowProps) {
  const { reason, outcome, channel, providerId, code, count, people, reachedOtherwise, lastAt, isReplayed, recovered } =
    group;
  const nameOf = useProviderName();
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <GroupToggle group={group} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <Mark tone={outcomeTone(outcome)} />
      <div className={styles['why']}>
        <ActivityLink filter={filtersOfGroup(group, range)} className={styles['reason']}>
          {reason ?? 'Without a reason'}
        </ActivityLink>
        <p className="quiet">
          {code && <code>{code}</code>}{' '}
          {[outcomeWord(outcome), CHANNEL_NAMES[channel], providerId && nameOf(providerId)].filter(Boolean).join(', ')}
        </p>
      </div>
      <GroupBars group={group} />
      <p className={styles['reasonFigures']}>
        <span>
          <strong>{formatNumber(count)}</strong> {count === 1 ? 'step' : 'steps'}
        </span>
        <span>{plural(people, 'person', 'people')}</span>
        <span>{formatNumber(reachedOtherwise)} reached otherwise</span>
        {isReplayed && <span>{formatNumber(recovered)} recovered by replay</span>}
        <span>
          last <Time at={lastAt} relative />
        </span>
      </p>
      <div className={styles['reasonActions']}>
        <ReasonActions group={group} onReplay={() => onReplay(filtersOfGroup(group, range))} />
      </div>
      {isOpen && (
        <div className={styles['reasonRows']}>
          <GroupRows group={group} filters={range} />
        </div>
      )}
    </li>
  );
}
