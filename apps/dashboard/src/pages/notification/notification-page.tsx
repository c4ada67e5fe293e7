import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../../api/error';
import { providersQuery } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { Button, ButtonLink, CodeBlock, CopyButton } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Alert, Empty, LoadError, Page, Skeleton } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { Tabs } from '../../ui/tabs';
import { formatDuration, Time } from '../../ui/time';
import { neighboursOf } from '../activity/activity-data';
import { shortId } from '../activity/words';
import { nameOf } from '../subscribers/person';
import { BulkActionDialog } from '../activity/bulk/bulk-action-dialog';
import { Changes, Comparison } from './comparison';
import { asCurl } from './curl';
import { Details } from './details';
import { Headline } from './headline';
import { AgainstToday, Answers, Sent, SentInFull } from './messages';
import styles from './notification.module.css';
import { comparisonQuery, isOpen, type Job, type Notification, notificationQuery, rulesQuery } from './queries';
import { Rules } from './rules';
import type { TABS } from './search';
import { Legend, StepStatus, Trace, traceOf } from './trace';

export function NotificationPage() {
  const { notificationId } = useParams({ from: '/signed-in/activity/$notificationId' });
  const { data, error, refetch } = useQuery(notificationQuery(notificationId));
  usePrefetchQuery(providersQuery);
  const isGone = isStatus(error, 404);
  const router = useRouter();
  const neighbours = useNeighbours(notificationId);
  useShortcut('Escape', 'Go back to the list', () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: '/activity' });
  });
  if (data) {
    return (
      <>
        {isGone && <Alert tone="warn">This notification was deleted meanwhile. What you see is its last state.</Alert>}
        <Loaded notification={data} neighbours={neighbours} />
      </>
    );
  }
  return (
    <Page title="Notification">
      {isGone || isStatus(error, 422) ? (
        <Empty
          title="This notification does not exist"
          action={<ButtonLink to="/activity">Open the activity</ButtonLink>}
        >
          The id is wrong, it belongs to another environment, or its history is past the retention.
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

type LoadedProps = { notification: Notification; neighbours: ReturnType<typeof useNeighbours> };

function Loaded({ notification, neighbours }: LoadedProps) {
  const search = useSearch({ from: '/signed-in/activity/$notificationId' });
  const canWrite = useCanWrite();
  const [action, setAction] = useState<'replay' | 'cancel'>();
  const [through, setThrough] = useState<string>();
  const { jobs = [], template, subscriber, createdAt = '' } = notification;
  const id = notification._id!;
  const selected = jobs.find(({ _id }) => _id === search.step) ?? jobs.find(needsAttention) ?? jobs.at(-1);
  const name = template?.name ?? 'Deleted workflow';
  const person = subscriber ? nameOf(subscriber) : 'a deleted subscriber';
  const worst = jobs.find(needsAttention);
  return (
    <Page
      title={`${name} to ${person}`}
      heading={
        <>
          <bdi>{name}</bdi> <span className={styles['to']}>to</span> <bdi className={styles['to']}>{person}</bdi>
        </>
      }
      note={worst && <StepStatus job={worst} />}
      actions={
        <>
          {neighbours.length > 0 && (
            <span className={styles['neighbours']}>
              {neighbours.map(({ name: label, sign, open }) => (
                <Button key={sign} aria-label={label} disabled={!open} onClick={open}>
                  <Icon name={sign} size={14} />
                </Button>
              ))}
            </span>
          )}
          <CopyButton text={() => asCurl(notification, location.origin)}>
            <Icon name="terminal" size={14} />
            Copy as curl
          </CopyButton>
          <CopyButton text={() => location.href}>
            <Icon name="link" size={14} />
            Copy link
          </CopyButton>
          {canWrite && jobs.some(isOpen) && (
            <Button kind="danger" onClick={() => setAction('cancel')}>
              Cancel sending
            </Button>
          )}
          {canWrite && jobs.some(({ status }) => status === 'failed') && (
            <Button kind="primary" onClick={() => setAction('replay')}>
              <Icon name="replay" size={14} />
              Replay
            </Button>
          )}
        </>
      }
    >
      {(action ?? search.bulk) && (
        <BulkActionDialog
          action={action ?? 'replay'}
          ids={[id]}
          through={through}
          onClose={() => {
            setAction(undefined);
            setThrough(undefined);
          }}
        />
      )}
      <Summary notification={notification} />
      <Headline
        notification={notification}
        onReplayThrough={(identifier) => {
          setThrough(identifier);
          setAction('replay');
        }}
      />
      <div className={styles['panes']}>
        <div className={styles['pane']}>
          <section aria-label="Trace">
            <header className={styles['partHead']}>
              <h2>Trace</h2>
              <span className="quiet">{formatDuration(traceOf(jobs, createdAt).total)}</span>
              <Legend />
            </header>
            {jobs.length === 0 ? (
              <p>This notification has no steps.</p>
            ) : (
              <Trace jobs={jobs} createdAt={createdAt} selected={selected?._id} />
            )}
          </section>
          {selected && (
            <section aria-label="Why">
              <header className={styles['partHead']}>
                <h2>{selected.status === 'failed' ? 'Why it was sent, and where it stopped' : 'Why'}</h2>
                <span className="quiet">{selected.step.name ?? selected.type}, in the order evaluated</span>
              </header>
              <Rules notification={notification} job={selected} />
            </section>
          )}
        </div>
        {selected && <StepPane notification={notification} job={selected} tab={search.tab} />}
      </div>
    </Page>
  );
}

/** The notifications before and after this one in the list that the reader comes from. */
function useNeighbours(id: string): { name: string; sign: 'up' | 'down'; open: (() => void) | undefined }[] {
  const navigate = useNavigate();
  const { before, after } = neighboursOf(id);
  const opener = (to: string | undefined) =>
    to === undefined
      ? undefined
      : () => void navigate({ to: '/activity/$notificationId', params: { notificationId: to }, replace: true });
  const [previous, next] = [opener(before), opener(after)];
  useShortcut('k', 'Previous notification of the list', () => previous?.());
  useShortcut('j', 'Next notification of the list', () => next?.());
  if (!previous && !next) return [];
  return [
    { name: 'Previous notification', sign: 'up', open: previous },
    { name: 'Next notification', sign: 'down', open: next },
  ];
}

const needsAttention = (job: Job): boolean => job.status === 'failed' || isOpen(job);

function Summary({ notification }: { notification: Notification }) {
  const { template, createdAt, transactionId, traceId, topics = [], severity, leftOut } = notification;
  const id = notification._id!;
  const { data } = useQuery(comparisonQuery(id));
  const workflowId = template?.triggers[0]?.identifier;
  return (
    <p className={styles['summary']}>
      {createdAt && (
        <span>
          Accepted <Time at={createdAt} relative />
        </span>
      )}
      {workflowId && (
        <span>
          Workflow{' '}
          <Link to="/workflows/$workflowId" params={{ workflowId }}>
            <bdi>{template.name}</bdi>
          </Link>
          {data && `, version ${data.current.workflowVersion}`}
        </span>
      )}
      <span>
        Transaction{' '}
        <Link to="/activity" search={{ transactionId: [transactionId] }} title={transactionId}>
          <code>{shortId(transactionId)}</code>
        </Link>
        <CopyButton text={transactionId} label="Copy the transaction id" />
      </span>
      <span>
        Id <code title={id}>{shortId(id)}</code>
        <CopyButton text={id} label="Copy the id" />
      </span>
      {traceId && (
        <span>
          Trace <code title={traceId}>{shortId(traceId)}</code>
          <CopyButton text={traceId} label="Copy the trace id" />
        </span>
      )}
      {topics.length > 0 && <span>Topics {topics.map(({ topicKey }) => topicKey).join(', ')}</span>}
      {severity && severity !== 'none' && <span>Severity {severity}</span>}
      {leftOut && leftOut.length > 0 && <span>Too large to show: {leftOut.join(', ')}</span>}
    </p>
  );
}

type StepPaneProps = { notification: Notification; job: Job; tab: (typeof TABS)[number] | undefined };

/** What is known about the selected step, the answer of the provider first. */
function StepPane({ notification, job, tab }: StepPaneProps) {
  const navigate = useNavigate({ from: '/activity/$notificationId' });
  const of = { notification, job };
  const { data: rules } = useQuery(rulesQuery(notification._id!, notification.updatedAt));
  const stepId = rules?.steps[(notification.jobs ?? []).indexOf(job)]?.stepId;
  return (
    <div className={styles['side']} role="region" aria-label={`Step ${job.step.name ?? job.type}`}>
      <Tabs
        label="Step"
        selected={tab ?? (isOpen(job) ? 'events' : 'answer')}
        onSelect={(next) =>
          void navigate({ search: (before) => ({ ...before, step: job._id, tab: next }), replace: true })
        }
        tabs={[
          {
            id: 'answer',
            label: 'Answer',
            content: () => (
              <>
                <Answers {...of} />
                <Changes notification={notification} stepId={stepId} />
                <section className={styles['part']} aria-label="What was sent">
                  <strong>What was sent</strong>
                  <Sent {...of} />
                </section>
              </>
            ),
          },
          { id: 'sent', label: 'As sent', content: () => <SentInFull {...of} /> },
          {
            id: 'payload',
            label: 'Payload',
            content: () => (
              <CodeBlock text={JSON.stringify(notification.payload ?? {}, null, 2)} label="Payload of the trigger" />
            ),
          },
          { id: 'today', label: 'Against today', content: () => <AgainstToday {...of} /> },
          { id: 'good', label: 'Last good run', content: () => <Comparison id={notification._id!} /> },
          { id: 'events', label: 'All events', content: () => <Details job={job} /> },
        ]}
      />
    </div>
  );
}
