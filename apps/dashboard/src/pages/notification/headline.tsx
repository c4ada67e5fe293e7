import { Alert } from '../../ui/alert';
import { Time } from '../../ui/time';
import type { Job } from './queries';
import { WAIT_WORDS } from './spans';

/** On the first screen: why a step failed, and what each open one waits for. */
export function Headline({ jobs }: { jobs: Job[] }) {
  const failed = jobs.filter(({ status }) => status === 'failed');
  const open = jobs.filter(({ waitingFor }) => waitingFor && waitingFor.kind !== 'earlier_step');
  return (
    <>
      {failed.length > 0 && (
        <section aria-label="What went wrong">
          {failed.map(({ _id, step, type, providerId, reason }) => (
            <Alert key={_id} tone="bad">
              {step.name ?? type} ({providerId}): {reason ?? 'no reason was recorded'}
            </Alert>
          ))}
        </section>
      )}
      {open.length > 0 && (
        <section aria-label="Waiting for">
          {open.map((job) => (
            <Wait key={job._id} job={job} />
          ))}
        </section>
      )}
    </>
  );
}

function Wait({ job: { step, type, waitingFor } }: { job: Job }) {
  const { kind, since, until, attempt, attempts, reason } = waitingFor!;
  return (
    <Alert tone="info">
      {step.name ?? type} waits for {WAIT_WORDS[kind]} since <Time at={since} relative />
      {until && (
        <>
          , until <Time at={until} relative />
        </>
      )}
      {attempt !== undefined && ` (attempt ${attempt} of ${attempts} was made)`}
      {reason && `: ${reason}`}
    </Alert>
  );
}
