import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { Loaded, MoreButton, Section } from '../../ui/page';
import { OutcomeBadge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';

const PAGE_SIZE = 20;

export function Timeline({ subscriberId }: { subscriberId: string }) {
  const list = useInfiniteQuery({
    queryKey: ['activity', 'of', subscriberId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => {
      const query = { subscriber: subscriberId, limit: PAGE_SIZE, cursor };
      return unwrap(api.GET('/v1/activity', { params: { query } }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section
      title="Timeline"
      actions={<a href={`/activity?subscriber=${encodeURIComponent(subscriberId)}`}>Open in Activity</a>}
    >
      <Loaded query={list} lines={5}>
        {() => rows.length === 0 && <p>Nothing was sent to this subscriber.</p>}
      </Loaded>
      {rows.length > 0 && (
        <Table
          label="Notifications"
          rows={rows}
          rowKey={({ _id }) => _id}
          columns={[
            {
              name: 'Time',
              cell: ({ _id, createdAt }) => (
                <Link to="/activity/$notificationId" params={{ notificationId: _id }}>
                  <Time at={createdAt} relative />
                </Link>
              ),
            },
            { name: 'Workflow', cell: ({ workflow }) => workflow?.name ?? 'deleted' },
            { name: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
            {
              name: 'Steps',
              cell: ({ steps }) =>
                steps.map(({ type, reason, outcome }) => `${type} ${reason ?? outcome.replace('_', ' ')}`).join('; '),
            },
          ]}
        />
      )}
      <MoreButton list={list}>Show older</MoreButton>
    </Section>
  );
}
