import { Link } from '@tanstack/react-router';
import { useProviderName } from '../../api/providers';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Mark } from '../../ui/status';
import { plural, Time } from '../../ui/time';
import { type Failure, failureOf } from './failure';
import styles from './notification.module.css';
import type { Job } from './queries';
import { channelWord, WAIT_WORDS } from './words';

/** On the first screen: why a step failed and what to do, and what each open one waits for. */
export function Headline({ jobs }: { jobs: Job[] }) {
  const failed = jobs.filter(({ status }) => status === 'failed');
  const open = jobs.filter(({ waitingFor }) => waitingFor && waitingFor.kind !== 'earlier_step');
  return (
    <>
      {failed.length > 0 && (
        <section className={styles['banner']} data-tone="bad" aria-label="What went wrong">
          {failed.map((job) => (
            <Refusal key={job._id} job={job} failure={failureOf(job)} />
          ))}
        </section>
      )}
      {open.length > 0 && (
        <section
          className={styles['banner']}
          data-tone={open.some(({ waitingFor }) => waitingFor?.kind === 'hold') ? 'held' : 'info'}
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

function Refusal({ job, failure }: { job: Job; failure: Failure }) {
  const { code, reason, attempts, at, lasts, advice } = failure;
  const nameOf = useProviderName();
  const channel = channelWord(job.type);
  return (
    <div className={styles['cause']}>
      <Mark tone="bad" size={22} />
      <div>
        <h2>
          {failure.provider ? `${nameOf(failure.provider)} refused the ${channel}: ` : `The ${channel} was not sent: `}
          <bdi>“{reason}”</bdi>
        </h2>
        <p className={styles['causeFacts']}>
          {code && <code className={styles['tag']}>{code}</code>}
          <span>{job.step.name ?? job.type}</span>
          {at && (
            <span>
              gave up <Time at={at} relative />
              {attempts > 0 && ` after ${plural(attempts, 'attempt')}`}
            </span>
          )}
          {lasts && <span>{lasts}</span>}
        </p>
        <div className={styles['advice']}>
          <Icon name="bulb" />
          <p>
            <strong>What to do:</strong> {advice}
          </p>
          {failure.provider && <ButtonLink to="/integrations">Open {nameOf(failure.provider)}</ButtonLink>}
          <ButtonLink to="/activity" search={{ status: ['failed'], reason }}>
            Show all like this
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}

function Wait({ job: { step, type, waitingFor } }: { job: Job }) {
  const { kind, since, until, attempt, attempts, reason } = waitingFor!;
  return (
    <div className={styles['cause']}>
      <Mark tone={kind === 'hold' ? 'held' : 'info'} size={22} />
      <div>
        <h2>
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
          {kind === 'breaker' && <Link to="/integrations">Open the integrations</Link>}
        </p>
      </div>
    </div>
  );
}
