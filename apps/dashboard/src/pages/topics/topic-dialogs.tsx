import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { DeleteDialog, FormDialog } from '../../ui/dialog';
import { TextField, useFields } from '../../ui/field';
import { Alert } from '../../ui/page';
import { plural, Time } from '../../ui/time';

/** Creates a topic, or renames the given one: the key never changes. */
export function TopicForm({ topic, onClose }: { topic?: Schemas['TopicDto']; onClose(): void }) {
  const navigate = useNavigate();
  const { values, field } = useFields({ key: topic?.key ?? '', name: topic?.name ?? '' });
  const save = () => {
    const name = values.name.trim();
    if (topic) {
      const params = { path: { topicKey: topic.key } };
      return unwrap(api.PATCH('/v2/topics/{topicKey}', { params, body: { name } }));
    }
    const body = { key: values.key.trim(), ...(name && { name }) };
    return unwrap(api.POST('/v2/topics', { params: { query: { failIfExists: true } }, body }));
  };
  return (
    <FormDialog
      title={topic ? `Rename ${topic.key}` : 'New topic'}
      action={topic ? 'Save' : 'Create'}
      run={save}
      stale={['topics']}
      done={topic ? 'The topic is renamed.' : 'The topic is created.'}
      then={async (saved) => {
        onClose();
        await queries.invalidateQueries({ queryKey: ['topic', saved.key] });
        if (!topic) await navigate({ to: '/topics/$topicKey', params: { topicKey: saved.key } });
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {!topic && (
            <TextField
              label="Key"
              required
              autoFocus
              hint="Letters, digits, hyphen, underscore and colon, or an email address. It cannot be changed later."
              {...field('key', faults)}
            />
          )}
          <TextField label="Name" required={!!topic} {...field('name', faults)} />
        </>
      )}
    </FormDialog>
  );
}

/** Shows what the topic is used by before it is deleted. */
export function DeleteTopic({ topicKey, onClose }: { topicKey: string; onClose(): void }) {
  const navigate = useNavigate();
  const params = { path: { topicKey } };
  const usage = useQuery({
    queryKey: ['topic', topicKey, 'usage'],
    queryFn: () => unwrap(api.GET('/v2/topics/{topicKey}/usage', { params })),
  });
  return (
    <DeleteDialog
      name={topicKey}
      usage={usage}
      run={() => unwrap(api.DELETE('/v2/topics/{topicKey}', { params }))}
      done="The topic is deleted."
      then={async () => {
        onClose();
        await navigate({ to: '/topics' });
        queries.removeQueries({ queryKey: ['topic', topicKey] });
        await queries.invalidateQueries({ queryKey: ['topics'] });
      }}
      onClose={onClose}
    >
      {({ subscribers, notifications, lastUsedAt }) => (
        <>
          <p>
            The topic has {plural(subscribers, 'subscriber')}. Their subscriptions are deleted too. This cannot be
            undone.
          </p>
          {lastUsedAt ? (
            <Alert tone="warn">
              {plural(notifications, 'notification')} used it in the last 30 days, the last one on{' '}
              <Time at={lastUsedAt} />.
            </Alert>
          ) : (
            <p>No trigger used it in the last 30 days.</p>
          )}
        </>
      )}
    </DeleteDialog>
  );
}
