import type { Lag } from '@clarion/contracts/core';
import type { MirrorOutcome } from './measurements';
import type { MetricSet } from './metric-set';

/** The metrics of mirrors: environments whose triggers are copied to another system. */
export class MirrorMetrics {
  private readonly copies = this.own.counter(
    'clarion_mirror_copies_total',
    'Copies of triggers by outcome: sent, refused, retried, failed; compared: same, different, notCompared.',
    ['outcome'],
  );
  private readonly waiting = this.lag.gauge(
    'clarion_mirror_waiting_copies',
    'Copies of triggers that wait to be sent to other systems.',
  );
  private readonly mirrors = this.lag.gauge(
    'clarion_mirrors',
    'Mirrors that take or still send copies, by state: working, failing (the last call failed).',
    ['state'],
  );

  constructor(
    private readonly own: MetricSet,
    private readonly lag: MetricSet,
  ) {}

  count(outcome: MirrorOutcome, copies: number): void {
    this.copies.inc({ outcome }, copies);
  }

  writeLag({ waiting, mirrors }: Lag['mirrors']): void {
    this.waiting.set(waiting);
    for (const [state, count] of Object.entries(mirrors)) this.mirrors.set({ state }, count);
  }
}
