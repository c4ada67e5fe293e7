import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { topicChoices } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { Form } from '../../ui/form';
import { LoadError } from '../../ui/load-error';
import { Section } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { Skeleton } from '../../ui/skeleton';
import { formatNumber } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import styles from './subscribers.module.css';

const SHOWN = 50;

/** The topics that the subscriber is subscribed to. */
export function Topics({ subscriberId }: { subscriberId: string }) {
  const canWrite = useCanWrite();
  const [topicKey, setTopicKey] = useState('');
  const queryKey = ['subscriber', subscriberId, 'topics'];
  const list = useQuery({
    queryKey,
    queryFn: () => {
      const params = { path: { subscriberId }, query: { limit: SHOWN } };
      return unwrap(api.GET('/v2/subscribers/{subscriberId}/subscriptions', { params }));
    },
  });
  const changed = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey });
    showToast(text);
  };
  const body = { subscriberIds: [subscriberId] };
  const add = useMutation({
    mutationFn: (key: string) =>
      unwrap(api.POST('/v2/topics/{topicKey}/subscriptions', { params: { path: { topicKey: key } }, body })),
    onSuccess: async () => {
      setTopicKey('');
      await changed('The subscriber is added to the topic.');
    },
  });
  const remove = useMutation({
    mutationFn: (key: string) =>
      unwrap(api.DELETE('/v2/topics/{topicKey}/subscriptions', { params: { path: { topicKey: key } }, body })),
    onSuccess: () => changed('The subscriber is removed from the topic.'),
  });
  return (
    <Section title="Topics">
      {list.isPending && <Skeleton lines={2} />}
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.data.length === 0 && <p>The subscriber is in no topic.</p>}
      {list.data && list.data.data.length > 0 && (
        <ul className={styles['rows']}>
          {list.data.data.map(({ _id, topic }) => (
            <li key={_id} className={styles['row']}>
              <Link to="/topics/$topicKey" params={{ topicKey: topic.key }}>
                {topic.name ?? topic.key}
              </Link>
              {canWrite && (
                <Button
                  aria-label={`Remove from ${topic.key}`}
                  isBusy={remove.isPending}
                  onClick={() => remove.mutate(topic.key)}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {list.data?.next && <p>The first {formatNumber(SHOWN)} topics are shown.</p>}
      {canWrite && (
        <Form onSubmit={() => add.mutate(topicKey.trim())} error={add.error ?? remove.error}>
          <div className={styles['inline']}>
            <Picker label="Topic key" value={topicKey} choices={topicChoices} onChange={setTopicKey} isFree required />
            <Button type="submit" isBusy={add.isPending}>
              Add to topic
            </Button>
          </div>
        </Form>
      )}
    </Section>
  );
}
