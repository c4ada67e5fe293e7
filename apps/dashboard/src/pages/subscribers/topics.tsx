import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { topicChoices } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { Form } from '../../ui/field';
import { Loaded, Section } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { formatNumber } from '../../ui/time';
import { useChange } from '../../ui/use-change';
import styles from './subscribers.module.css';

const SHOWN = 50;

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
  const body = { subscriberIds: [subscriberId] };
  const add = useChange(
    (key: string) =>
      unwrap(api.POST('/v2/topics/{topicKey}/subscriptions', { params: { path: { topicKey: key } }, body })),
    { stale: queryKey, done: 'The subscriber is added to the topic.', then: () => setTopicKey('') },
  );
  const remove = useChange(
    (key: string) =>
      unwrap(api.DELETE('/v2/topics/{topicKey}/subscriptions', { params: { path: { topicKey: key } }, body })),
    { stale: queryKey, done: 'The subscriber is removed from the topic.' },
  );
  return (
    <Section title="Topics">
      <Loaded query={list} lines={2}>
        {({ data }) => data.length === 0 && <p>The subscriber is in no topic.</p>}
      </Loaded>
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
