import { CHANNEL_NAMES } from '../../api/channels';
import { useProviderName } from '../../api/providers';
import { formatShare } from '../../ui/share';
import { Mark } from '../../ui/status';
import { formatNumber, plural, Time } from '../../ui/time';
import { HoldCause } from '../activity/reason-actions';
import { ReasonTable } from '../activity/reason-table';
import type { ActivityFilters } from '../activity/search';
import { ActivityLink } from './activity-link';
import type { OpenIncident } from './incidents';
import styles from './overview.module.css';
import type { Overview } from './queries';

const SHOWN = 5;

type Props = { incident: OpenIncident; overview: Overview; onReplay(filters: ActivityFilters): void };

export function Incident({ incident, overview, onReplay }: Props) {
  const { providerId, channel, groups, since, steps, people, share } = incident;
  const range = { after: overview.after, before: overview.before };
  const name = CHANNEL_NAMES[channel];
  const tried = overview.retrying.filter((each) => each.providerId === providerId && each.channel === channel);
  const nameOf = useProviderName();
  const title = providerId ? `${nameOf(providerId)} refuses ${name}` : `${name} cannot be sent`;
  return (
    <article className={styles['incident']}>
      <header>
        <Mark tone="bad" size={24} />
        <div>
          <h2>{title}</h2>
          <p>
            <span>
              Since <Time at={since} relative />
            </span>
            <span>
              <strong>{plural(people, 'person', 'people')}</strong> did not get{' '}
              <strong>{plural(steps, 'message')}</strong>
            </span>
            <span>
              {formatShare(share, 1)} of {name}
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
      <ReasonTable label={`${title}: reasons`} groups={groups.slice(0, SHOWN)} filters={range} onReplay={onReplay} />
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
