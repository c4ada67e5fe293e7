import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../ui/load-error';
import { Section } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { OutcomeBadge } from '../../ui/status';
import { Table } from '../../ui/table';
import { formatNumber, plural, Time } from '../../ui/time';
import { ActivityLink } from './activity-link';
import { CHANNEL_NAMES } from './channels';
import styles from './overview.module.css';
import { errorGroupsQuery, type ErrorGroup, type Overview } from './queries';
import type { OverviewSearch } from './search';

const SHOWN = 10;

/** The largest groups of failures, with the people whom they touch. */
export function ErrorGroups({ search, overview }: { search: OverviewSearch; overview: Overview }) {
  const { data, error, refetch } = useQuery(errorGroupsQuery(search));
  const { after, before } = overview;
  return (
    <Section title="Errors">
      {data ? (
        data.data.length === 0 ? (
          <p>No message failed in this range.</p>
        ) : (
          <>
            <Table
              label="Error groups"
              rows={data.data.slice(0, SHOWN)}
              rowKey={({ reason, providerId, channel, outcome }) => [reason, providerId, channel, outcome].join(' ')}
              columns={[
                { name: 'Reason', cell: (group) => <Reason group={group} after={after} before={before} /> },
                { name: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
                {
                  name: 'Sent by',
                  cell: ({ channel, providerId }) => [CHANNEL_NAMES[channel], providerId].filter(Boolean).join(', '),
                },
                { name: 'Steps', isNumber: true, cell: ({ count }) => formatNumber(count) },
                { name: 'People', isNumber: true, cell: ({ people }) => formatNumber(people) },
                {
                  name: 'Reached otherwise',
                  isNumber: true,
                  cell: ({ reachedOtherwise }) => formatNumber(reachedOtherwise),
                },
                { name: 'Last', cell: ({ lastAt }) => <Time at={lastAt} relative /> },
              ]}
            />
            <p className={styles['quiet']}>
              {data.isBounded && `Of the newest ${plural(data.searched ?? 0, 'failure')} of this range. `}
              {data.data.length > SHOWN && `${plural(data.data.length - SHOWN, 'more group')} in `}
              {data.data.length > SHOWN && (
                <ActivityLink filter={{ status: ['failed', 'in_doubt'], after, before }}>the activity</ActivityLink>
              )}
            </p>
          </>
        )
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Section>
  );
}

function Reason({ group, after, before }: { group: ErrorGroup; after: string; before: string }) {
  const { reason, outcome, channel } = group;
  return (
    <ActivityLink
      filter={{ status: [outcome], channel: [channel], reason: reason ?? undefined, after, before }}
      className={styles['reason']}
    >
      {reason ?? 'Without a reason'}
    </ActivityLink>
  );
}
