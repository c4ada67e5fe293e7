import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { isStatus } from '../../api/error';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { LoadError } from '../../ui/load-error';
import { Page, Section } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { PageSkeleton, Skeleton } from '../../ui/skeleton';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
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
  if (topic.isPending) return <PageSkeleton />;
  if (topic.isError) {
    return (
      <Page title="Topic">
        {isStatus(topic.error, 404) ? (
          <Alert tone="warn">There is no topic “{topicKey}” in this environment. It may have been deleted.</Alert>
        ) : (
          <LoadError error={topic.error} onRetry={() => void topic.refetch()} />
        )}
      </Page>
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
      <p>
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
  const add = useMutation({
    mutationFn: async (id: string) => {
      const body = { subscriberIds: [id] };
      const { errors } = await unwrap(api.POST('/v2/topics/{topicKey}/subscriptions', { params: { path }, body }));
      return errors?.[0]?.message;
    },
    onSuccess: async (fault) => {
      if (fault === undefined) setSubscriberId('');
      await queries.invalidateQueries({ queryKey });
      if (fault === undefined) showToast('The subscriber is added.');
    },
  });
  const remove = useMutation({
    mutationFn: ({ subscriber, identifier }: Subscription) => {
      const body = { subscriptions: [{ subscriberId: subscriber.subscriberId, identifier }] };
      return unwrap(api.DELETE('/v2/topics/{topicKey}/subscriptions', { params: { path }, body }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      showToast('The subscriber is removed.');
    },
  });
  return (
    <Section title="Subscribers">
      {canWrite && (
        <Form onSubmit={() => add.mutate(subscriberId.trim())} error={add.error ?? remove.error}>
          <TextField
            label="subscriberId"
            hint="The person to add."
            value={subscriberId}
            onChange={setSubscriberId}
            required
            error={add.data}
          />
          <div>
            <Button type="submit" isBusy={add.isPending}>
              Add
            </Button>
          </div>
        </Form>
      )}
      {list.isPending && <Skeleton lines={5} />}
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.data.length === 0 && <p>The topic has no subscribers.</p>}
      {list.data && list.data.data.length > 0 && (
        <>
          <Table
            label="Subscribers of the topic"
            rows={list.data.data}
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
              { name: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
              ...(canWrite
                ? [
                    {
                      name: 'Actions',
                      cell: (row: Subscription) => (
                        <Button
                          aria-label={`Remove ${row.subscriber.subscriberId}`}
                          isBusy={remove.isPending}
                          onClick={() => remove.mutate(row)}
                        >
                          Remove
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <Pager
            list={list.data}
            one="subscription"
            onMove={(cursor) => void navigate({ search: (before) => ({ ...before, ...cursor }) })}
          />
        </>
      )}
    </Section>
  );
}
