import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../../api/error';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button, ButtonLink } from '../../ui/button';
import { CodeBlock } from '../../ui/code-block';
import { CopyButton } from '../../ui/copy-button';
import { Empty } from '../../ui/empty';
import { Facts } from '../../ui/facts';
import { LoadError } from '../../ui/load-error';
import { Page, Section } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { Skeleton } from '../../ui/skeleton';
import { Time } from '../../ui/time';
import { BulkActionDialog } from '../activity/bulk/bulk-action-dialog';
import { Comparison } from './comparison';
import { asCurl } from './curl';
import { Details } from './details';
import { Headline } from './headline';
import { Messages } from './messages';
import { isOpen, type Job, type Notification, notificationQuery } from './queries';
import { Rules } from './rules';
import { StepStatus, Waterfall } from './waterfall';

const CHANNELS: readonly string[] = ['email', 'sms', 'push', 'chat', 'in_app'];

export function NotificationPage() {
  const { notificationId } = useParams({ from: '/signed-in/activity/$notificationId' });
  const { data, error, refetch } = useQuery(notificationQuery(notificationId));
  const isGone = isStatus(error, 404);
  const router = useRouter();
  useShortcut('Escape', 'Go back to the list', () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: '/activity' });
  });
  if (data) {
    return (
      <>
        {isGone && <Alert tone="warn">This notification was deleted meanwhile. What you see is its last state.</Alert>}
        <Loaded notification={data} />
      </>
    );
  }
  return (
    <Page title="Notification">
      {isGone || isStatus(error, 422) ? (
        <Empty title="This notification does not exist">
          <p>The id is wrong, it belongs to another environment, or its history is past the retention.</p>
          <ButtonLink to="/activity">Open the activity</ButtonLink>
        </Empty>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton isBlock />
          <Skeleton lines={8} />
        </>
      )}
    </Page>
  );
}

function Loaded({ notification }: { notification: Notification }) {
  const search = useSearch({ from: '/signed-in/activity/$notificationId' });
  const canWrite = useCanWrite();
  const [action, setAction] = useState<'replay' | 'cancel'>();
  const { jobs = [], template, subscriber } = notification;
  const id = notification._id!;
  const selected = jobs.find(({ _id }) => _id === search.step) ?? jobs.find(needsAttention) ?? jobs.at(-1);
  return (
    <Page
      title={template ? `Notification: ${template.name}` : 'Notification'}
      actions={
        <>
          {canWrite && jobs.some(({ status }) => status === 'failed') && (
            <Button kind="primary" onClick={() => setAction('replay')}>
              Replay
            </Button>
          )}
          {canWrite && jobs.some(isOpen) && (
            <Button kind="danger" onClick={() => setAction('cancel')}>
              Cancel sending
            </Button>
          )}
          <CopyButton text={() => asCurl(notification, location.origin)}>Copy as curl</CopyButton>
          <CopyButton text={() => location.href}>Copy link</CopyButton>
        </>
      }
    >
      {(action ?? search.bulk) && (
        <BulkActionDialog action={action ?? 'replay'} ids={[id]} onClose={() => setAction(undefined)} />
      )}
      <Headline jobs={jobs} />
      <Section title="Summary">
        <Facts
          facts={{
            Subscriber: subscriber ? (
              <Link to="/subscribers/$subscriberId" params={{ subscriberId: subscriber.subscriberId }}>
                {[subscriber.firstName, subscriber.lastName].filter(Boolean).join(' ') || subscriber.subscriberId}
                {subscriber.email && ` (${subscriber.email})`}
              </Link>
            ) : (
              'deleted meanwhile'
            ),
            Workflow: template?.name ?? 'deleted meanwhile',
            Created: notification.createdAt && (
              <>
                <Time at={notification.createdAt} /> · {notification.createdAt.replace('T', ' ').replace('Z', '')} UTC
              </>
            ),
            Transaction: (
              <Link to="/activity" search={{ transactionId: [notification.transactionId] } as never}>
                <code>{notification.transactionId}</code>
              </Link>
            ),
            Trace: notification.traceId && <code>{notification.traceId}</code>,
            Topics: notification.topics?.map(({ topicKey }) => topicKey).join(', '),
            Severity: notification.severity === 'none' ? undefined : notification.severity,
            'Notification id': <code>{id}</code>,
            'Too large to show': notification.leftOut?.join(', '),
          }}
        />
      </Section>
      <Section title="Steps">
        {jobs.length === 0 ? (
          <p>This notification has no steps.</p>
        ) : (
          <Waterfall jobs={jobs} createdAt={notification.createdAt!} selected={selected?._id} />
        )}
      </Section>
      {selected && <SelectedStep notification={notification} job={selected} />}
      <Section title="Compared with the last good run">
        <Comparison id={id} />
      </Section>
      <Section title="Payload">
        <CodeBlock text={JSON.stringify(notification.payload ?? {}, null, 2)} label="Payload of the trigger" />
      </Section>
    </Page>
  );
}

const needsAttention = (job: Job): boolean => job.status === 'failed' || isOpen(job);

function SelectedStep({ notification, job }: { notification: Notification; job: Job }) {
  return (
    <>
      <Section title={`Step ${job.step.name ?? job.type}`} actions={<StepStatus status={job.status} />}>
        <Details job={job} />
      </Section>
      {CHANNELS.includes(job.type) && (
        <Section title="Messages">
          <Messages notification={notification} jobId={job._id} />
        </Section>
      )}
      <Section title="Rules">
        <Rules notification={notification} job={job} />
      </Section>
    </>
  );
}
