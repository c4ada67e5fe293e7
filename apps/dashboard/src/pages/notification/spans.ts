import type { Job } from './queries';

type SpanKind = NonNullable<Job['spans']>[number]['kind'];
type WaitKind = NonNullable<Job['waitingFor']>['kind'];

export const SPAN_WORDS: Record<SpanKind, string> = {
  queue: 'in the queue',
  hold: 'held',
  retry: 'waiting for the next attempt',
  render: 'rendering',
  provider: 'provider',
};

export const WAIT_WORDS: Record<WaitKind, string> = {
  queue: 'a free worker',
  hold: 'the release of a hold',
  retry: 'the next attempt',
  rate_limit: 'its turn under a limit',
  breaker: 'the provider, whose calls are stopped',
  earlier_step: 'an earlier step',
  window: 'its time',
  delay: 'the end of the delay',
  digest: 'the end of the digest',
};

/** When the last of the steps ended, or now while one is open. */
export const endOf = (jobs: readonly Job[], start: number, now: number, isOpen: boolean): number => {
  const times = jobs.flatMap(({ spans = [] }) => spans.map(({ to }) => Date.parse(to)));
  return Math.max(start + 1, ...times, ...(isOpen ? [now] : []));
};
