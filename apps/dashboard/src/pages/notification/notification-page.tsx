import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CHANNELS } from '../../api/channels';
import { isStatus } from '../../api/error';
import { providersQuery } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { Button, ButtonLink, CodeBlock, CopyButton } from '../../ui/button';
import { Alert, Empty, LoadError, Page, Section, Skeleton } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { Time } from '../../ui/time';
import { nameOf } from '../subscribers/person';
import { BulkActionDialog } from '../activity/bulk/bulk-action-dialog';
import { Comparison } from './comparison';
import { asCurl } from './curl';
import { Details } from './details';
import { Headline } from './headline';
import { Messages } from './messages';
import styles from './notification.module.css';
import { isOpen, type Job, type Notification, notificationQuery } from './queries';
import { Rules } from './rules';
import { Legend, StepStatus, Trace } from './trace';

export function NotificationPage() {
  const { notificationId } = useParams({ from: '/signed-in/activity/$notificationId' });
  const { data, error, refetch } = useQuery(notificationQuery(notificationId));
  usePrefetchQuery(providersQuery);
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
  const name = template?.name ?? 'Deleted workflow';
  const person = subscriber ? nameOf(subscriber) : 'a deleted subscriber';
  return (
    <Page
      title={`${name} to ${person}`}
      heading={
        <>
          <bdi>{name}</bdi> <span className={styles['to']}>to</span> <bdi className={styles['to']}>{person}</bdi>
        </>
      }
      note={selected && needsAttention(selected) && <StepStatus status={selected.status} />}
      actions={
        <>
          {canWrite && jobs.some(isOpen) && (
            <Button kind="danger" onClick={() => setAction('cancel')}>
              Cancel sending
            </Button>
          )}
          <CopyButton text={() => asCurl(notification, location.origin)}>Copy as curl</CopyButton>
          <CopyButton text={() => location.href}>Copy link</CopyButton>
          {canWrite && jobs.some(({ status }) => status === 'failed') && (
            <Button kind="primary" onClick={() => setAction('replay')}>
              Replay
            </Button>
          )}
        </>
      }
    >
      {(action ?? search.bulk) && (
        <BulkActionDialog action={action ?? 'replay'} ids={[id]} onClose={() => setAction(undefined)} />
      )}
      <Summary notification={notification} />
      <Headline jobs={jobs} />
      <div className={styles['panes']}>
        <div className={styles['pane']}>
          <Section title="Steps" actions={<Legend />}>
            {jobs.length === 0 ? (
              <p>This notification has no steps.</p>
            ) : (
              <Trace jobs={jobs} createdAt={notification.createdAt!} selected={selected?._id} />
            )}
          </Section>
          {selected && (
            <Section title="Why it was sent, and where it stopped">
              <Rules notification={notification} job={selected} />
            </Section>
          )}
          <Section title="Payload">
            <CodeBlock text={JSON.stringify(notification.payload ?? {}, null, 2)} label="Payload of the trigger" />
          </Section>
        </div>
        <div className={styles['pane']}>
          {selected && <SelectedStep notification={notification} job={selected} />}
          <Section title="Compared with the last good run">
            <Comparison id={id} />
          </Section>
        </div>
      </div>
    </Page>
  );
}

function Summary({ notification }: { notification: Notification }) {
  const { template, subscriber, createdAt, transactionId, traceId, topics = [], severity, leftOut } = notification;
  const workflowId = template?.triggers[0]?.identifier;
  return (
    <p className={styles['summary']}>
      {createdAt && (
        <span>
          Accepted <Time at={createdAt} relative />
        </span>
      )}
      {subscriber && (
        <span>
          Subscriber{' '}
          <Link to="/subscribers/$subscriberId" params={{ subscriberId: subscriber.subscriberId }}>
            <bdi>{subscriber.email ?? subscriber.subscriberId}</bdi>
          </Link>
        </span>
      )}
      {workflowId && (
        <span>
          Workflow{' '}
          <Link to="/workflows/$workflowId" params={{ workflowId }}>
            <bdi>{template.name}</bdi>
          </Link>
        </span>
      )}
      <span>
        Transaction{' '}
        <Link to="/activity" search={{ transactionId: [transactionId] }}>
          <code>{transactionId}</code>
        </Link>
      </span>
      <span>
        Id <code>{notification._id}</code>
      </span>
      {traceId && (
        <span>
          Trace <code>{traceId}</code>
        </span>
      )}
      {topics.length > 0 && <span>Topics {topics.map(({ topicKey }) => topicKey).join(', ')}</span>}
      {severity && severity !== 'none' && <span>Severity {severity}</span>}
      {leftOut && leftOut.length > 0 && <span>Too large to show: {leftOut.join(', ')}</span>}
    </p>
  );
}

const needsAttention = (job: Job): boolean => job.status === 'failed' || isOpen(job);

function SelectedStep({ notification, job }: { notification: Notification; job: Job }) {
  return (
    <>
      <Section title={`Step ${job.step.name ?? job.type}`} actions={<StepStatus status={job.status} />}>
        <Details job={job} />
      </Section>
      {CHANNELS.some((channel) => channel === job.type) && (
        <Section title="What was sent">
          <Messages notification={notification} jobId={job._id} />
        </Section>
      )}
    </>
  );
}
