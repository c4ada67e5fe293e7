import type { Job } from './queries';

export type SpanKind = 'waiting' | 'working' | 'retrying';

/** A part of the life of a step, in milliseconds since the notification. */
export type Span = { kind: SpanKind; from: number; to: number };

/** Details after which the step waits: for a worker, for its time, or for the next attempt. */
const WAITS = /^(Step queued|Step delayed|Step digested|Step was extended)/;
const RETRIES = /"nextTryInMs"/;

export const SPAN_WORDS: Record<SpanKind, string> = {
  waiting: 'waiting',
  working: 'rendering and provider',
  retrying: 'waiting for the next attempt',
};

/**
 * Draws the life of a step from the times of its details. The last detail ends it; an open step reaches until now.
 * The details of one outcome have one time, so a part may have no length.
 */
export function spansOf(job: Job, start: number, now: number, isOpen: boolean): Span[] {
  const details = job.executionDetails.filter(({ createdAt, source }) => createdAt && source !== 'Webhook');
  const spans: Span[] = [];
  for (const [index, { createdAt, detail, raw, isRetry }] of details.entries()) {
    const from = Date.parse(createdAt!) - start;
    const next = details[index + 1];
    if (!next && !isOpen) break;
    const to = next ? Date.parse(next.createdAt!) - start : now - start;
    const kind =
      RETRIES.test(raw ?? '') || (isRetry && WAITS.test(detail))
        ? 'retrying'
        : WAITS.test(detail)
          ? 'waiting'
          : 'working';
    const last = spans.at(-1);
    if (last?.kind === kind) last.to = Math.max(last.to, to);
    else if (to > from) spans.push({ kind, from: Math.max(from, 0), to });
  }
  return spans;
}

/** When the last of the steps ended, or now while one is open. */
export const endOf = (jobs: readonly Job[], start: number, now: number, isOpen: boolean): number => {
  const times = jobs.flatMap(({ executionDetails }) =>
    executionDetails.flatMap(({ createdAt, source }) =>
      createdAt && source !== 'Webhook' ? Date.parse(createdAt) : [],
    ),
  );
  return Math.max(start + 1, ...times, ...(isOpen ? [now] : []));
};
