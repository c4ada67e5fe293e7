import { Link } from '@tanstack/react-router';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import type { Channel } from '../../api/channels';
import { classes } from '../../ui/classes';
import { CHANNEL_ICONS, Icon } from '../../ui/icon';
import { Badge, type Tone } from '../../ui/status';
import { formatDuration } from '../../ui/time';
import { readAnswer } from './failure';
import styles from './notification.module.css';
import { isOpen, type Job } from './queries';
import { channelWord, SPAN_WORDS, type SpanKind, WAIT_WORDS } from './words';

const TONES: Record<string, Tone> = {
  completed: 'good',
  failed: 'bad',
  canceled: 'calm',
  skipped: 'calm',
  merged: 'calm',
};

export const StepStatus = ({ job: { status, waitingFor } }: { job: Job }) =>
  waitingFor?.kind === 'hold' ? (
    <Badge tone="held">Held</Badge>
  ) : (
    <Badge tone={TONES[status] ?? 'info'}>{status[0]!.toUpperCase() + status.slice(1)}</Badge>
  );

/** In milliseconds since the notification was accepted. */
type Span = { kind: SpanKind; from: number; to: number; isRefused: boolean; attempt?: Attempt };
/** A call of the provider, and what it answered. */
type Attempt = { number: number; words: string };

/** When the last of the steps ended, or now while one is open. */
function endOf(jobs: readonly Job[], start: number): number {
  const times = jobs.flatMap(({ spans = [] }) => spans.map(({ to }) => Date.parse(to)));
  return Math.max(start + 1, ...times, ...(jobs.some(isOpen) ? [Date.now()] : []));
}

export function traceOf(jobs: readonly Job[], createdAt: string): { start: number; total: number } {
  const start = Date.parse(createdAt);
  return { start, total: endOf(jobs, start) - start };
}

const KIND_WORDS: Record<string, string> = {
  credentials: 'account refused',
  quota: 'limit reached',
  recipient: 'recipient refused',
  'dead-token': 'device gone',
  content: 'content refused',
  'rate-limited': 'rate limited',
  transient: 'not available',
  permanent: 'refused',
  'unknown-outcome': 'answer lost',
};

/** What each call of a provider left, in order. */
const answersOf = ({ executionDetails }: Job): string[] =>
  executionDetails.flatMap(({ raw, detail }) => {
    const { kind, status } = readAnswer(raw);
    if (kind === undefined) return detail === 'Message sent' ? ['accepted'] : [];
    return [[status, KIND_WORDS[kind] ?? 'refused'].filter(Boolean).join(' ')];
  });

/** A call before another one was refused. */
function spansOf(job: Job, start: number): Span[] {
  const { spans = [], status } = job;
  const last = spans.findLastIndex(({ kind }) => kind === 'provider');
  const answers = answersOf(job);
  let number = 0;
  return spans.map(({ kind, from, to }, index) => ({
    kind,
    from: Date.parse(from) - start,
    to: Date.parse(to) - start,
    isRefused: kind === 'provider' && (index !== last || status !== 'completed'),
    ...(kind === 'provider' && { attempt: { words: answers[number] ?? '', number: (number += 1) } }),
  }));
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Distances of ticks that people count in. */
const DISTANCES = [
  ...[1, 10, 100, SECOND, 10 * SECOND].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[0.5, 1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 7, 14, 28].map((each) => each * DAY),
].toSorted((one, other) => one - other);
const MOST_TICKS = 5;

const tickOf = (total: number): number =>
  DISTANCES.find((each) => total / each <= MOST_TICKS) ?? Math.ceil(total / MOST_TICKS / DAY) * DAY;

/** The steps on one axis of time; the selected one with its waits, rendering and attempts. */
export function Trace({ jobs, createdAt, selected }: { jobs: Job[]; createdAt: string; selected?: string }) {
  const { start, total } = traceOf(jobs, createdAt);
  const tick = tickOf(total);
  // The last tenth of the axis has no room for a word.
  const ticks = Array.from({ length: Math.floor((0.9 * total) / tick) + 1 }, (_, place) => place * tick);
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && links[links.indexOf(document.activeElement as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div
      className={styles['trace']}
      role="grid"
      aria-label="Trace"
      aria-readonly="true"
      style={{ '--tick': `${(tick / total) * 100}%` } as CSSProperties}
      onKeyDown={move}
    >
      <div role="row" className={classes(styles['lane'], styles['laneHead'])}>
        <span role="columnheader">Step</span>
        <span role="columnheader" className={styles['axis']} aria-label="Time">
          {ticks.map((at) => (
            <span key={at} style={{ insetInlineStart: `${(at / total) * 100}%` }}>
              {at === 0 ? '0' : formatDuration(at)}
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

type StepProps = { job: Job; spans: Span[]; total: number; isSelected: boolean };

function Step({ job, spans, total, isSelected }: StepProps) {
  const took = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const parts = spans.map(({ kind, from, to }) => `${SPAN_WORDS[kind]} ${formatDuration(to - from)}`).join(', ');
  return (
    <>
      <div role="row" className={styles['lane']} data-selected={isSelected || undefined}>
        <span role="rowheader" className={styles['laneName']}>
          <Icon name={CHANNEL_ICONS[job.type as Channel] ?? 'clock'} />
          <Link
            to="."
            search={(before) => ({ ...before, step: job._id, tab: undefined })}
            replace
            resetScroll={false}
            aria-current={isSelected ? 'true' : undefined}
          >
            {job.step.name ?? job.type}
          </Link>
        </span>
        <Track spans={spans} total={total} tone={TONES[job.status]}>
          {wordsOf(job)}
          <span className="visually-hidden">{parts && `: ${parts}`}</span>
        </Track>
        <span role="gridcell" className={styles['took']}>
          {spans.length > 0 ? formatDuration(took) : 'none'}
        </span>
      </div>
      {isSelected &&
        spans.map((span, index) => (
          <div key={index} role="row" className={classes(styles['lane'], styles['attempt'])}>
            <span role="rowheader" className={styles['laneName']}>
              {span.attempt ? `Attempt ${span.attempt.number}` : SPAN_WORDS[span.kind]}
            </span>
            <Track spans={[span]} total={total} tone={span.isRefused ? 'bad' : undefined}>
              {span.attempt?.words || (span.isRefused && 'refused')}
            </Track>
            <span role="gridcell" className={styles['took']}>
              {formatDuration(span.to - span.from)}
            </span>
          </div>
        ))}
    </>
  );
}

/** How a step ended, or what it waits for. */
function wordsOf({ type, status, reason, waitingFor, executionDetails }: Job): string {
  if (waitingFor) return `waits for ${WAIT_WORDS[waitingFor.kind]}`;
  // Why it failed is above, in the words of the provider.
  if (status === 'failed') return status;
  if (status !== 'completed') return [status, reason].filter(Boolean).join(': ');
  const isRead = executionDetails.some((detail) => detail.status === 'ReadConfirmation');
  return channelWord(type) === 'step' ? 'done' : isRead ? 'delivered, read' : 'delivered';
}

type TrackProps = { spans: Span[]; total: number; tone?: Tone; children: ReactNode };

/** In percent; less has no room for a word. */
const ROOM = 20;

/** Bars in the places of their time, and words on the side that has more room, or else over the bars. */
function Track({ spans, total, tone, children }: TrackProps) {
  const place = (milliseconds: number): number => Math.min(100, (Math.max(0, milliseconds) / total) * 100);
  const [from, to] = [place(spans[0]?.from ?? 0), place(spans.at(-1)?.to ?? 0)];
  const isBehind = 100 - to >= from;
  const isOver = Math.max(100 - to, from) < ROOM;
  const [side, edge] = isOver
    ? ['insetInlineStart', from]
    : isBehind
      ? ['insetInlineStart', to]
      : ['insetInlineEnd', 100 - from];
  const room = { [side]: `calc(${edge}% + 0.375rem)`, maxWidth: `calc(${100 - edge}% - 0.375rem)` };
  return (
    <span role="gridcell" className={styles['track']}>
      {spans.map((span, index) => (
        <span
          key={index}
          aria-hidden="true"
          className={styles['span']}
          data-kind={span.kind}
          data-refused={span.isRefused || undefined}
          style={{
            insetInlineStart: `min(${place(span.from)}%, 100% - 3px)`,
            width: `max(3px, ${place(span.to - span.from)}%)`,
          }}
        />
      ))}
      <span className={styles['word']} data-tone={tone} data-over={isOver || undefined} style={room}>
        {children}
      </span>
    </span>
  );
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
