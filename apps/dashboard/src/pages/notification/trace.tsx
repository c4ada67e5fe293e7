import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import type { Channel } from '../../api/channels';
import { classes } from '../../ui/classes';
import { CHANNEL_ICONS, Icon } from '../../ui/icon';
import { Badge, type Tone } from '../../ui/status';
import { formatDuration } from '../../ui/time';
import styles from './notification.module.css';
import { isOpen, type Job } from './queries';
import { SPAN_WORDS, type SpanKind } from './words';

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

type Span = { kind: SpanKind; from: number; to: number; isRefused: boolean };

/** When the last of the steps ended, or now while one is open. */
function endOf(jobs: readonly Job[], start: number): number {
  const times = jobs.flatMap(({ spans = [] }) => spans.map(({ to }) => Date.parse(to)));
  return Math.max(start + 1, ...times, ...(jobs.some(isOpen) ? [Date.now()] : []));
}

/** In milliseconds since the notification was accepted. A call before another one was refused. */
function spansOf({ spans = [], status }: Job, start: number): Span[] {
  const last = spans.findLastIndex(({ kind }) => kind === 'provider');
  return spans.map(({ kind, from, to }, index) => ({
    kind,
    from: Date.parse(from) - start,
    to: Date.parse(to) - start,
    isRefused: kind === 'provider' && (index !== last || status !== 'completed'),
  }));
}

/** The steps on one axis of time; the selected one with its waits, rendering and attempts. */
export function Trace({ jobs, createdAt, selected }: { jobs: Job[]; createdAt: string; selected?: string }) {
  const start = Date.parse(createdAt);
  const total = endOf(jobs, start) - start;
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && links[links.indexOf(document.activeElement as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className={styles['trace']} role="grid" aria-label="Trace" aria-readonly="true" onKeyDown={move}>
      <div role="row" className={classes(styles['lane'], styles['laneHead'])}>
        <span role="columnheader">Step</span>
        <span role="columnheader" className={styles['axis']} aria-label="Time">
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <span key={part} style={{ insetInlineStart: `${part * 100}%` }}>
              {formatDuration(total * part)}
            </span>
          ))}
        </span>
        <span role="columnheader">Took</span>
      </div>
      {jobs.map((job) => (
        <Step key={job._id} job={job} spans={spansOf(job, start)} total={total} isSelected={job._id === selected} />
      ))}
    </div>
  );
}

function Step({ job, spans, total, isSelected }: { job: Job; spans: Span[]; total: number; isSelected: boolean }) {
  const took = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const words = spans.map(({ kind, from, to }) => `${SPAN_WORDS[kind]} ${formatDuration(to - from)}`).join(', ');
  return (
    <>
      <div role="row" className={styles['lane']} data-selected={isSelected || undefined}>
        <span role="rowheader" className={styles['laneName']}>
          <Icon name={CHANNEL_ICONS[job.type as Channel] ?? 'clock'} />
          <Link
            to="."
            search={(before) => ({ ...before, step: job._id })}
            replace
            resetScroll={false}
            aria-current={isSelected ? 'true' : undefined}
          >
            {job.step.name ?? job.type}
          </Link>
          <StepStatus status={job.status} />
        </span>
        <span role="gridcell" className={styles['track']}>
          <Bars spans={spans} total={total} />
          <span className="visually-hidden">{words || 'no time recorded'}</span>
        </span>
        <span role="gridcell" className={styles['took']}>
          {spans.length > 0 ? formatDuration(took) : 'none'}
        </span>
      </div>
      {isSelected &&
        spans.map((span, index) => (
          <div key={index} role="row" className={classes(styles['lane'], styles['part'])}>
            <span role="rowheader">
              {SPAN_WORDS[span.kind]}
              {span.kind === 'provider' && ` ${attemptOf(spans, index)}`}
            </span>
            <span role="gridcell" className={styles['track']}>
              <Bars spans={[span]} total={total} />
              {span.isRefused && <span className="visually-hidden">refused</span>}
            </span>
            <span role="gridcell" className={styles['took']}>
              {formatDuration(span.to - span.from)}
            </span>
          </div>
        ))}
    </>
  );
}

const attemptOf = (spans: Span[], index: number): number =>
  spans.slice(0, index + 1).filter(({ kind }) => kind === 'provider').length;

function Bars({ spans, total }: { spans: Span[]; total: number }) {
  const place = (milliseconds: number): string => `${Math.min(100, (Math.max(0, milliseconds) / total) * 100)}%`;
  return spans.map(({ kind, from, to, isRefused }, index) => (
    <span
      key={index}
      aria-hidden="true"
      className={styles['span']}
      data-kind={kind}
      data-refused={isRefused || undefined}
      style={{ insetInlineStart: `min(${place(from)}, 100% - 3px)`, width: `max(3px, ${place(to - from)})` }}
    />
  ));
}

const LEGEND = [
  ['queue', 'queue wait'],
  ['hold', 'held'],
  ['retry', 'retry wait'],
  ['render', 'render'],
  ['provider', 'accepted'],
  ['refused', 'refused'],
] as const;

export const Legend = () => (
  <span className={styles['legend']} aria-hidden="true">
    {LEGEND.map(([kind, word]) => (
      <span key={kind}>
        <i
          className={styles['span']}
          data-kind={kind === 'refused' ? 'provider' : kind}
          data-refused={kind === 'refused' || undefined}
        />
        {word}
      </span>
    ))}
  </span>
);
