import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { NewButton } from '../../ui/new-button';
import { Empty, Filters, Page } from '../../ui/page';
import { SearchBox } from '../../ui/field';
import { CursorTable } from '../../ui/table';
import { Time } from '../../ui/time';
import { DeleteTopic, TopicForm } from './topic-dialogs';

const PAGE_SIZE = 50;

export function TopicsPage() {
  const search = useSearch({ from: '/signed-in/topics' });
  const navigate = useNavigate({ from: '/topics' });
  const canWrite = useCanWrite();
  const [deleted, setDeleted] = useState<string>();
  const list = useQuery({
    queryKey: ['topics', search.key, search.after, search.before],
    queryFn: () => unwrap(api.GET('/v2/topics', { params: { query: { ...search, limit: PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Topics"
      actions={<NewButton words="New topic">{(onClose) => <TopicForm onClose={onClose} />}</NewButton>}
    >
      <Filters>
        <SearchBox
          label="Key"
          placeholder="Part of a key"
          value={search.key ?? ''}
          onSearch={(text) => void navigate({ search: { key: text || undefined }, replace: true })}
        />
      </Filters>
      <CursorTable
        query={list}
        label="Topics"
        one="topic"
        rowKey={({ key }) => key}
        columns={[
          {
            name: 'Key',
            cell: ({ key }) => (
              <Link to="/topics/$topicKey" params={{ topicKey: key }}>
                {key}
              </Link>
            ),
          },
          { name: 'Name', cell: ({ name }) => name ?? '—' },
          { name: 'Created', cell: ({ createdAt }) => createdAt && <Time at={createdAt} relative /> },
        ]}
        actions={
          canWrite &&
          (({ key }) => (
            <Button aria-label={`Delete ${key}`} onClick={() => setDeleted(key)}>
              Delete
            </Button>
          ))
        }
        onMove={(cursor) => void navigate({ search: (before) => ({ ...before, ...cursor }) })}
        empty={
          search.key ? (
            <Empty title="No topic matches">No key contains “{search.key}”.</Empty>
          ) : (
            <Empty title="No topics yet" command={COMMAND}>
              A topic is a list of subscribers that one trigger reaches together.
            </Empty>
          )
        }
      />
      {deleted !== undefined && <DeleteTopic topicKey={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

const COMMAND = `curl ${location.origin}/v2/topics -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"key": "news", "name": "News"}'`;
