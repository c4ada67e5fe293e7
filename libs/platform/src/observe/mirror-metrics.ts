import { Counter, Gauge, type Registry } from 'prom-client';
import { MIRROR_LAG_STATES, type MirrorLag, type MirrorOutcome } from './measurements';

/** The metrics of mirrors: environments whose triggers are copied to another system. */
export class MirrorMetrics {
  private readonly copies: Counter;
  private readonly waiting: Gauge;
  private readonly mirrors: Gauge;

  constructor(registry: Registry, lagRegistry: Registry) {
    this.copies = new Counter({
      name: 'clarion_mirror_copies_total',
      help: 'Copies of triggers by outcome: sent, refused, retried, failed; compared: same, different, notCompared.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.waiting = new Gauge({
      name: 'clarion_mirror_waiting_copies',
      help: 'Copies of triggers that wait to be sent to other systems.',
      registers: [lagRegistry],
    });
    this.mirrors = new Gauge({
      name: 'clarion_mirrors',
      help: 'Mirrors that take or still send copies, by state: working, failing (the last call failed).',
      labelNames: ['state'],
      registers: [lagRegistry],
    });
  }

  count(outcome: MirrorOutcome, copies: number): void {
    this.copies.inc({ outcome }, copies);
  }

  writeLag({ waiting, mirrors }: MirrorLag): void {
    this.waiting.set(waiting);
    for (const state of MIRROR_LAG_STATES) this.mirrors.set({ state }, mirrors[state]);
  }
}
