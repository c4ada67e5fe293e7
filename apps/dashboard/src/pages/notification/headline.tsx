import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useProviderName } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { Button, ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Mark, surfaceStyle } from '../../ui/status';
import { formatNumber, plural, Time } from '../../ui/time';
import { groupsQuery } from '../activity/activity-data';
import { filtersOfGroup } from '../activity/reason-actions';
import type { ActivityFilters } from '../activity/search';
import { OneState, statusOf, useAccounts, useIntegrations } from '../integrations/state';
import { type Failure, failureOf } from './failure';
import styles from './notification.module.css';
import type { Job, Notification } from './queries';
import { channelWord, WAIT_WORDS } from './words';

type HeadlineProps = { notification: Notification; onReplayThrough(identifier: string): void };

/** On the first screen: why a step failed and what to do, and what each open one waits for. */
export function Headline({ notification, onReplayThrough }: HeadlineProps) {
  const { jobs = [] } = notification;
  const failed = jobs.filter(({ status }) => status === 'failed');
  const open = jobs.filter(({ waitingFor }) => waitingFor && waitingFor.kind !== 'earlier_step');
  return (
    <>
      {failed.length > 0 && (
        <section className={styles['banner']} style={surfaceStyle('bad')} aria-label="What went wrong">
          {failed.map((job) => (
            <Refusal
              key={job._id}
              job={job}
              failure={failureOf(job)}
              notification={notification}
              onReplayThrough={onReplayThrough}
            />
          ))}
        </section>
      )}
      {open.length > 0 && (
        <section
          className={styles['banner']}
          style={surfaceStyle(open.some(({ waitingFor }) => waitingFor?.kind === 'hold') ? 'held' : 'info')}
          aria-label="Waiting for"
        >
          {open.map((job) => (
            <Wait key={job._id} job={job} />
          ))}
        </section>
      )}
    </>
  );
}

type RefusalProps = HeadlineProps & { job: Job; failure: Failure };

function Refusal({ job, failure, notification, onReplayThrough }: RefusalProps) {
  const { provider, code, reason, attempts, at, lasts, advice } = failure;
  const nameOf = useProviderName();
  const channel = channelWord(job.type);
  const filters = {
    status: ['failed'],
    channel: [job.type],
    reason,
    ...(provider && { providerId: [provider] }),
  } as ActivityFilters;
  const { data } = useQuery(groupsQuery(filters));
  const group = data?.data.find((each) => !each.isReplayed && each.reason === reason);
  const reached = (notification.jobs ?? []).filter(isReached).map(nameOfReached);
  return (
    <div className={styles['cause']}>
      <Mark tone="bad" size={22} />
      <div>
        <h2 className="clamped" title={reason}>
          {provider ? `${nameOf(provider)} refused the ${channel}: ` : `The ${channel} was not sent: `}
          <bdi>“{reason}”</bdi>
        </h2>
        <p className={styles['causeFacts']}>
          {code && <code className="tag">{code}</code>}
          <span>
            {job.step.name ?? job.type} to <Recipient job={job} notification={notification} />
          </span>
          {at && (
            <span>
              gave up <Time at={at} relative />
              {attempts > 0 && ` after ${plural(attempts, 'attempt')}`}
            </span>
          )}
          {lasts && <span>{lasts}</span>}
          {reached.length > 0 && <span>{reached.join(', ')} delivered</span>}
        </p>
        <div className={styles['advice']}>
          <Icon name="bulb" />
          <p>
            <strong>What to do:</strong> {advice.text}
            {group && group.count > 1 && (
              <>
                {' '}
                <strong>{plural(group.count - 1, 'other')}</strong> failed for this reason.
              </>
            )}
          </p>
          <Correct failure={failure} notification={notification} />
          {provider && <UseOther providerId={provider} channel={job.type} onUse={onReplayThrough} />}
          {group && group.count > 1 && (
            <ButtonLink to="/activity" search={filtersOfGroup(group, {})}>
              Show all {formatNumber(group.count)} like this
            </ButtonLink>
          )}
        </div>
        {provider && <Accounts providerId={provider} channel={job.type} />}
      </div>
    </div>
  );
}

/** Sends again through an integration of the channel that works, where what refused is another. */
function UseOther({ providerId, channel, onUse }: { providerId: string; channel: string; onUse(id: string): void }) {
  const canWrite = useCanWrite();
  const other = useAccounts(new Set([channel])).find(
    ({ integration, hold }) => integration.providerId !== providerId && statusOf(integration, hold).tone === 'good',
  );
  if (!canWrite || !other) return null;
  return <Button onClick={() => onUse(other.integration.identifier)}>Use other provider</Button>;
}

/** Whether what refused works now, in the words of the integrations. */
function Accounts({ providerId, channel }: { providerId?: string; channel: string }) {
  const used = (useIntegrations() ?? []).filter(
    ({ integration }) =>
      integration.channel === channel && (providerId ? integration.providerId === providerId : integration.health),
  );
  return used.map(({ integration, hold }) => (
    <p key={integration._id} className={styles['causeFacts']}>
      <Link to="/integrations" search={{ integration: integration._id }}>
        {integration.name || integration.providerId}
      </Link>
      <span>
        <OneState integration={integration} hold={hold} />
      </span>
    </p>
  ));
}

/** The way to what has to be corrected. */
function Correct({
  failure: { advice, provider },
  notification: { subscriber, template },
}: Pick<RefusalProps, 'failure' | 'notification'>) {
  const nameOf = useProviderName();
  const workflowId = template?.triggers[0]?.identifier;
  if (advice.place === 'subscriber' && subscriber) {
    return (
      <ButtonLink to="/subscribers/$subscriberId" params={{ subscriberId: subscriber.subscriberId }}>
        Open the subscriber
      </ButtonLink>
    );
  }
  if (advice.place === 'workflow' && workflowId) {
    return (
      <ButtonLink to="/workflows/$workflowId" params={{ workflowId }}>
        Open the workflow
      </ButtonLink>
    );
  }
  if (advice.place === 'suppressions') return <ButtonLink to="/suppressions">Open the suppressions</ButtonLink>;
  if (!provider && advice.place !== 'integrations') return null;
  return <ButtonLink to="/integrations">Open {provider ? nameOf(provider) : 'the integrations'}</ButtonLink>;
}

function Recipient({ job: { type }, notification: { subscriber } }: Pick<RefusalProps, 'job' | 'notification'>) {
  if (!subscriber) return 'a deleted subscriber';
  const { subscriberId, email, phone } = subscriber;
  const address = type === 'email' ? email : type === 'sms' ? phone : undefined;
  return (
    <Link to="/subscribers/$subscriberId" params={{ subscriberId }}>
      <bdi>{address ?? subscriberId}</bdi>
    </Link>
  );
}

const isReached = ({ status, type }: Job): boolean => status === 'completed' && channelWord(type) !== 'step';

const nameOfReached = ({ step, type, executionDetails }: Job): string => {
  const isRead = executionDetails.some(({ status }) => status === 'ReadConfirmation');
  return `${step.name ?? type} (${channelWord(type)}${isRead ? ', read' : ''})`;
};

function Wait({ job: { step, type, waitingFor } }: { job: Job }) {
  const { kind, since, until, attempt, attempts, reason } = waitingFor!;
  return (
    <div className={styles['cause']}>
      <Mark tone={kind === 'hold' ? 'held' : 'info'} size={22} />
      <div>
        <h2 className="clamped" title={reason}>
          {step.name ?? type} waits for {WAIT_WORDS[kind]}
          {reason && (
            <>
              : <bdi>“{reason}”</bdi>
            </>
          )}
        </h2>
        <p className={styles['causeFacts']}>
          {until && (
            <span>
              next attempt <Time at={until} relative />
            </span>
          )}
          <span>
            since <Time at={since} relative />
          </span>
          {attempt !== undefined && (
            <span>
              attempt {attempt} of {attempts} was made
            </span>
          )}
        </p>
        {kind === 'breaker' && <Accounts channel={type} />}
      </div>
    </div>
  );
}
