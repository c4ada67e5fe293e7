import { Link } from '@tanstack/react-router';
import { Badge, type Tone } from '../../ui/status';
import { formatDuration } from '../../ui/time';
import styles from './notification.module.css';
import { isOpen, type Job } from './queries';
import { endOf, SPAN_WORDS } from './spans';

const TONES: Record<string, Tone> = {
  completed: 'good',
  failed: 'bad',
  canceled: 'calm',
  skipped: 'calm',
  merged: 'calm',
};

export const StepStatus = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'info'}>{status[0]!.toUpperCase() + status.slice(1)}</Badge>
);

/** The steps on one axis of time. The words beside each bar say the same. */
export function Waterfall({ jobs, createdAt, selected }: { jobs: Job[]; createdAt: string; selected?: string }) {
  const start = Date.parse(createdAt);
  const now = Date.now();
  const end = endOf(jobs, start, now, jobs.some(isOpen));
  const total = end - start;
  const place = (milliseconds: number): string => `${Math.min(100, (Math.max(0, milliseconds) / total) * 100)}%`;
  return (
    <ol className={styles['waterfall']} aria-label="Steps over time">
      {jobs.map((job) => {
        const spans = (job.spans ?? []).map(({ kind, from, to }) => ({
          kind,
          from: Date.parse(from) - start,
          to: Date.parse(to) - start,
        }));
        const words = spans.map(({ kind, from, to }) => `${SPAN_WORDS[kind]} ${formatDuration(to - from)}`).join(', ');
        return (
          <li key={job._id} className={styles['lane']} data-selected={selected === job._id || undefined}>
            <Link
              to="."
              search={(before) => ({ ...before, step: job._id })}
              replace
              resetScroll={false}
              className={styles['laneName']}
              aria-current={selected === job._id ? 'true' : undefined}
            >
              {job.step.name ?? job.type} <span className={styles['quiet']}>{job.type}</span>
            </Link>
            <StepStatus status={job.status} />
            <span className={styles['track']} aria-hidden="true">
              {spans.map(({ kind, from, to }, index) => (
                <span
                  key={index}
                  className={styles[kind]}
                  style={{ insetInlineStart: place(from), width: `max(3px, ${place(to - from)})` }}
                />
              ))}
            </span>
            <span className={styles['quiet']}>{words || 'no time recorded'}</span>
          </li>
        );
      })}
      <li className={styles['axis']}>
        <span>0</span>
        <span>{formatDuration(total)}</span>
      </li>
    </ol>
  );
}
