import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { LoadError } from '../../ui/load-error';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { SearchBox } from '../../ui/search-box';
import { Skeleton } from '../../ui/skeleton';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { nameOf } from './person';
import { SubscriberDialog } from './subscriber-form';

const PAGE_SIZE = 50;

export function SubscribersPage() {
  const search = useSearch({ from: '/signed-in/subscribers' });
  const navigate = useNavigate({ from: '/subscribers' });
  const canWrite = useCanWrite();
  const [isAdding, setAdding] = useState(false);
  const list = useQuery({
    queryKey: ['subscribers', search.search, search.after, search.before],
    queryFn: () => unwrap(api.GET('/v2/subscribers', { params: { query: { ...search, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Subscribers"
      actions={
        canWrite && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            New subscriber
          </Button>
        )
      }
    >
      <SearchBox
        label="Search"
        hint="Any part of the subscriberId, the name, the email or the phone."
        value={search.search ?? ''}
        onSearch={(text) => void navigate({ search: { search: text || undefined }, replace: true })}
      />
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={8} />}
      {list.data?.data.length === 0 && search.search && (
        <Empty title="No subscriber matches">
          <p>No subscriberId, name, email or phone contains “{search.search}”.</p>
        </Empty>
      )}
      {list.data?.data.length === 0 && !search.search && (
        <Empty title="No subscribers yet" command={COMMAND}>
          <p>A trigger creates the subscribers that it names. You can also create them beforehand.</p>
        </Empty>
      )}
      {list.data && list.data.data.length > 0 && (
        <>
          <Table
            label="Subscribers"
            rows={list.data.data}
            rowKey={({ subscriberId }) => subscriberId}
            columns={[
              {
                name: 'Name',
                cell: (row) => (
                  <Link to="/subscribers/$subscriberId" params={{ subscriberId: row.subscriberId }}>
                    {nameOf(row)}
                  </Link>
                ),
              },
              { name: 'subscriberId', cell: ({ subscriberId }) => <code>{subscriberId}</code> },
              { name: 'Email', cell: ({ email }) => email ?? '—' },
              { name: 'Phone', cell: ({ phone }) => phone ?? '—' },
              { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
          <Pager
            list={list.data}
            one="subscriber"
            onMove={(cursor) => void navigate({ search: (before) => ({ ...before, ...cursor }) })}
          />
        </>
      )}
      {isAdding && <SubscriberDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

const COMMAND = `curl ${location.origin}/v2/subscribers -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"subscriberId": "ada", "firstName": "Ada", "email": "ada@x.test"}'`;
