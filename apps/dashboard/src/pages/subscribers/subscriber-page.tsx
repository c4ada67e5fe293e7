import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Button, CodeBlock } from '../../ui/button';
import { DeleteDialog } from '../../ui/dialog';
import { Alert, Facts, Page, Section, UnloadedPage } from '../../ui/page';
import { Badge } from '../../ui/status';
import { plural, Time } from '../../ui/time';
import { nameOf } from './person';
import { Preferences } from './preferences';
import { Privacy } from './privacy';
import { NO_WORKFLOW } from './search';
import { SubscriberDialog } from './subscriber-form';
import styles from './subscribers.module.css';
import { Channels, Suppressions } from './channels';
import { ChatEndpoints } from './chat-endpoints';
import { Timeline } from './timeline';
import { Topics } from './topics';
import { WhyNot } from './why-not';

export function SubscriberPage() {
  const { subscriberId } = useParams({ from: '/signed-in/subscribers/$subscriberId' });
  const subscriber = useQuery({
    queryKey: ['subscriber', subscriberId],
    queryFn: () => unwrap(api.GET('/v2/subscribers/{subscriberId}', { params: { path: { subscriberId } } })),
  });
  if (subscriber.data) return <Profile key={subscriberId} subscriber={subscriber.data} />;
  return (
    <UnloadedPage title="Subscriber" query={subscriber}>
      <Alert tone="warn">There is no subscriber “{subscriberId}” in this environment. It may have been deleted.</Alert>
    </UnloadedPage>
  );
}

function Profile({ subscriber }: { subscriber: Schemas['SubscriberDto'] }) {
  const { why } = useSearch({ from: '/signed-in/subscribers/$subscriberId' });
  const navigate = useNavigate({ from: '/subscribers/$subscriberId' });
  const canWrite = useCanWrite();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { subscriberId } = subscriber;
  return (
    <Page
      title={nameOf(subscriber)}
      actions={
        <>
          <Button
            kind="primary"
            aria-expanded={why !== undefined}
            onClick={() => void navigate({ search: why === undefined ? { why: NO_WORKFLOW } : {} })}
          >
            Why not?
          </Button>
          {canWrite && <Button onClick={() => setOpen('edit')}>Edit</Button>}
          {canWrite && (
            <Button kind="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {why !== undefined && <WhyNot subscriberId={subscriberId} />}
      <div className={styles['columns']}>
        <div className="stack">
          <Section title="Details">
            <Facts
              facts={{
                subscriberId: <code>{subscriberId}</code>,
                Email: subscriber.email,
                Phone: subscriber.phone,
                Locale: subscriber.locale,
                'Time zone': subscriber.timezone,
                Inbox: subscriber.isOnline === true ? <Badge tone="good">Online</Badge> : 'Not open',
                'Last online': subscriber.lastOnlineAt && <Time at={subscriber.lastOnlineAt} />,
                Created: <Time at={subscriber.createdAt} />,
                Changed: <Time at={subscriber.updatedAt} />,
              }}
            />
            {subscriber.data && <CodeBlock label="Data" text={JSON.stringify(subscriber.data, null, 2)} />}
          </Section>
          <Suppressions subscriber={subscriber} />
        </div>
        <div className="stack">
          <Channels subscriber={subscriber} />
          <ChatEndpoints subscriberId={subscriberId} />
          <Topics subscriberId={subscriberId} />
        </div>
      </div>
      <Preferences subscriberId={subscriberId} />
      <Timeline subscriberId={subscriberId} />
      {canWrite && <Privacy subscriberId={subscriberId} />}
      {open === 'edit' && <SubscriberDialog subscriber={subscriber} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteSubscriber subscriberId={subscriberId} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function DeleteSubscriber({ subscriberId, onClose }: { subscriberId: string; onClose(): void }) {
  const navigate = useNavigate();
  const params = { path: { subscriberId } };
  const usage = useQuery({
    queryKey: ['subscriber', subscriberId, 'usage'],
    queryFn: () => unwrap(api.GET('/v2/subscribers/{subscriberId}/usage', { params })),
  });
  return (
    <DeleteDialog
      name={subscriberId}
      usage={usage}
      run={() => unwrap(api.DELETE('/v2/subscribers/{subscriberId}', { params }))}
      done="The subscriber is deleted."
      then={async () => {
        await navigate({ to: '/subscribers' });
        queries.removeQueries({ queryKey: ['subscriber', subscriberId] });
        await queries.invalidateQueries({ queryKey: ['subscribers'] });
      }}
      onClose={onClose}
    >
      {({ topics, channels, messages, openSteps }) => (
        <>
          <p>This cannot be undone. With the subscriber are deleted:</p>
          <ul className="bullets">
            <li>{plural(topics, 'topic subscription')}</li>
            <li>{plural(channels, 'channel')} with credentials, and the preferences</li>
            <li>{plural(messages, 'message')}</li>
          </ul>
          {openSteps > 0 && (
            <Alert tone="warn">{plural(openSteps, 'step')} on the way would end without a recipient.</Alert>
          )}
        </>
      )}
    </DeleteDialog>
  );
}
