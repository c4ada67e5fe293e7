import { useQuery } from '@tanstack/react-query';
import { Loading, Section } from '../../ui/page';
import { plural } from '../../ui/time';
import { ReasonTable } from '../activity/reason-table';
import type { ActivityFilters } from '../activity/search';
import { ActivityLink } from './activity-link';
import { isOpenNow } from './incidents';
import { errorGroupsQuery, type Overview } from './queries';
import type { OverviewSearch } from './search';

const SHOWN = 10;

type Props = { search: OverviewSearch; overview: Overview; onReplay(filters: ActivityFilters): void };

export function PastErrors({ search, overview, onReplay }: Props) {
  const groups = useQuery(errorGroupsQuery(search));
  const { data } = groups;
  const range = { after: overview.after, before: overview.before };
  const past = data?.data.filter((group) => !isOpenNow(group)) ?? [];
  return (
    <Section title="Past errors">
      {data ? (
        <>
          {past.length === 0 ? (
            <p>No other message failed in this range.</p>
          ) : (
            <ReasonTable
              label="Reasons of past errors"
              groups={past.slice(0, SHOWN)}
              filters={range}
              onReplay={onReplay}
            />
          )}
          {(data.isBounded || past.length > SHOWN) && (
            <p className="quiet">
              {data.isBounded && `Of the newest ${plural(data.searched ?? 0, 'failure')} of this range. `}
              {past.length > SHOWN && `${plural(past.length - SHOWN, 'more group')} in `}
              {past.length > SHOWN && (
                <ActivityLink filter={{ status: ['failed', 'in_doubt'], ...range }}>the activity</ActivityLink>
              )}
            </p>
          )}
        </>
      ) : (
        <Loading query={groups} lines={4} />
      )}
    </Section>
  );
}
