import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../ui/page';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { healthQuery } from './data';
import { HealthBadge } from './state';

export function HealthPanel({ id }: { id: string }) {
  const loaded = useQuery(healthQuery(id));
  if (!loaded.data) return <Loading query={loaded} />;
  const { data } = loaded;
  if (data.history.length === 0) return <p>No failure has changed the state of this integration so far.</p>;
  return (
    <Table
      label="Last states"
      rows={data.history}
      rowKey={({ since, state }) => `${since} ${state}`}
      columns={[
        { name: 'State', cell: ({ state }) => <HealthBadge state={state} /> },
        { name: 'Since', cell: ({ since }) => <Time at={since} /> },
        { name: 'Next try', cell: ({ until }) => (until ? <Time at={until} /> : '') },
        { name: 'Reason', cell: ({ reason }) => reason ?? '' },
      ]}
    />
  );
}
