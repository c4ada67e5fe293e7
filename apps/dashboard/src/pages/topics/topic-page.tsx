import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { subscriberChoices } from '../../api/choices';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { Form } from '../../ui/field';
import { Alert, Page, Section, UnloadedPage } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { CursorTable } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { useChange } from '../../ui/use-change';
import styles from '../subscribers/subscribers.module.css';
import { DeleteTopic, TopicForm } from './topic-dialogs';

const PAGE_SIZE = 50;

type Subscription = Schemas['TopicSubscriptionDto'];

export function TopicPage() {
  const { topicKey } = useParams({ from: '/signed-in/topics/$topicKey' });
  const canWrite = useCanWrite();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const topic = useQuery({
    queryKey: ['topic', topicKey],
    queryFn: () => unwrap(api.GET('/v2/topics/{topicKey}', { params: { path: { topicKey } } })),
  });
  if (topic.isPending || topic.isError) {
    return (
      <UnloadedPage title="Topic" query={topic}>
        <Alert tone="warn">There is no topic “{topicKey}” in this environment. It may have been deleted.</Alert>
      </UnloadedPage>
    );
  }
  return (
    <Page
      title={topic.data.name ?? topicKey}
      actions={
        canWrite && (
          <>
            <Button onClick={() => setOpen('rename')}>Rename</Button>
            <Button kind="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </>
        )
      }
    >
      <p className="quiet">
        Key <code>{topicKey}</code> <a href={`/activity?topicKey=${encodeURIComponent(topicKey)}`}>Show its activity</a>
      </p>
      <Subscriptions topicKey={topicKey} />
      {open === 'rename' && <TopicForm topic={topic.data} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteTopic topicKey={topicKey} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function Subscriptions({ topicKey }: { topicKey: string }) {
  const search = useSearch({ from: '/signed-in/topics/$topicKey' });
  const navigate = useNavigate({ from: '/topics/$topicKey' });
  const canWrite = useCanWrite();
  const [subscriberId, setSubscriberId] = useState('');
  const path = { topicKey };
  const queryKey = ['topic', topicKey, 'subscriptions'];
  const list = useQuery({
    queryKey: [...queryKey, search.after, search.before],
    queryFn: () => {
      const query = { after: search.after, before: search.before, limit: PAGE_SIZE };
      return unwrap(api.GET('/v2/topics/{topicKey}/subscriptions', { params: { path, query } }));
    },
    placeholderData: keepPreviousData,
  });
  const add = useChange(
    async (id: string) => {
      const body = { subscriberIds: [id] };
      const { errors } = await unwrap(api.POST('/v2/topics/{topicKey}/subscriptions', { params: { path }, body }));
      return errors?.[0]?.message;
    },
    {
      stale: queryKey,
      then: (fault) => {
        if (fault !== undefined) return;
        setSubscriberId('');
        showToast('The subscriber is added.');
      },
    },
  );
  const remove = useChange(
    ({ subscriber, identifier }: Subscription) => {
      const body = { subscriptions: [{ subscriberId: subscriber.subscriberId, identifier }] };
      return unwrap(api.DELETE('/v2/topics/{topicKey}/subscriptions', { params: { path }, body }));
    },
    { stale: queryKey, done: 'The subscriber is removed.' },
  );
  return (
    <Section title="Subscribers">
      {canWrite && (
        <Form onSubmit={() => add.mutate(subscriberId.trim())} error={add.error ?? remove.error}>
          <div className={styles['inline']}>
            <Picker
              label="subscriberId"
              placeholder="Name, id, email or phone"
              value={subscriberId}
              choices={subscriberChoices}
              onChange={setSubscriberId}
              isFree
              required
              error={add.data}
            />
            <Button type="submit" isBusy={add.isPending}>
              Add
            </Button>
          </div>
        </Form>
      )}
      <CursorTable
        query={list}
        label="Subscribers of the topic"
        one="subscription"
        rowKey={({ _id }) => _id}
        columns={[
          {
            name: 'subscriberId',
            cell: ({ subscriber }) => (
              <Link to="/subscribers/$subscriberId" params={{ subscriberId: subscriber.subscriberId }}>
                {subscriber.subscriberId}
              </Link>
            ),
          },
          { name: 'Email', cell: ({ subscriber }) => subscriber.email ?? '—' },
          { name: 'Since', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
        ]}
        actions={
          canWrite &&
          ((row) => (
            <Button
              aria-label={`Remove ${row.subscriber.subscriberId}`}
              isBusy={remove.isPending}
              onClick={() => remove.mutate(row)}
            >
              Remove
            </Button>
          ))
        }
        onMove={(cursor) => void navigate({ search: (before) => ({ ...before, ...cursor }) })}
        empty={<p>The topic has no subscribers.</p>}
      />
    </Section>
  );
}
