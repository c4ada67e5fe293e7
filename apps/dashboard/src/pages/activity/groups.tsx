import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { providersQuery } from '../../api/providers';
import { Empty, Loading } from '../../ui/page';
import { plural } from '../../ui/time';
import { groupsQuery } from './activity-data';
import styles from './activity.module.css';
import { ReasonTable } from './reason-table';
import type { ActivityFilters } from './search';

type Props = { filters: ActivityFilters; onReplay(of: ActivityFilters): void };

export default function Groups({ filters, onReplay }: Props) {
  const groups = useQuery(groupsQuery(filters));
  usePrefetchQuery(providersQuery);
  const { data } = groups;
  if (!data) return <Loading query={groups} lines={6} />;
  if (data.data.length === 0) {
    return <Empty title="Everything that matches was delivered or is in flight">There is nothing to group.</Empty>;
  }
  return (
    <>
      <ReasonTable label="Reasons" groups={data.data} filters={filters} onReplay={onReplay} />
      {data.isBounded && (
        <p className={styles['foot']}>
          Grouped from the newest {plural(data.searched ?? 0, 'notification')} that were searched. Set a time range to
          look further back.
        </p>
      )}
    </>
  );
}
