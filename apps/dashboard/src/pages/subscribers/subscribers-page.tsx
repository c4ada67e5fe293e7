import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { NewButton } from '../../ui/new-button';
import { Empty, Filters, Page } from '../../ui/page';
import { SearchBox } from '../../ui/field';
import { CursorTable } from '../../ui/table';
import { Time } from '../../ui/time';
import { nameOf } from './person';
import { SubscriberDialog } from './subscriber-form';

const PAGE_SIZE = 50;

export function SubscribersPage() {
  const search = useSearch({ from: '/signed-in/subscribers' });
  const navigate = useNavigate({ from: '/subscribers' });
  const list = useQuery({
    queryKey: ['subscribers', search.search, search.after, search.before],
    queryFn: () => unwrap(api.GET('/v2/subscribers', { params: { query: { ...search, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Subscribers"
      actions={<NewButton words="New subscriber">{(onClose) => <SubscriberDialog onClose={onClose} />}</NewButton>}
    >
      <Filters>
        <SearchBox
          label="Search"
          placeholder="Name, id, email or phone"
          value={search.search ?? ''}
          onSearch={(text) => void navigate({ search: { search: text || undefined }, replace: true })}
        />
      </Filters>
      <CursorTable
        query={list}
        label="Subscribers"
        one="subscriber"
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
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
        ]}
        onMove={(cursor) => void navigate({ search: (before) => ({ ...before, ...cursor }) })}
        empty={
          search.search ? (
            <Empty title="No subscriber matches">
              No subscriberId, name, email or phone contains “{search.search}”.
            </Empty>
          ) : (
            <Empty title="No subscribers yet" command={COMMAND}>
              A trigger creates the subscribers that it names. You can also create them beforehand.
            </Empty>
          )
        }
      />
    </Page>
  );
}

const COMMAND = `curl ${location.origin}/v2/subscribers -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"subscriberId": "ada", "firstName": "Ada", "email": "ada@x.test"}'`;
