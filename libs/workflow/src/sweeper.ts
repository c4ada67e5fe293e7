import type { BusyQueues } from '@clarion/persistence';
import type { Metrics } from '@clarion/platform';
import { Loop } from './loop';
import type { EngineLog, Offers, Queues, SweepStore } from './ports';

/** The most rows that one sweep offers, and that may be in flight, shared among environments. */
const SWEEP_LIMIT = 5_000;
const IN_FLIGHT_CAP = 5_000;

const IDLE_MS = 1_000;
const BUSY_MS = 500;
/** After a sweep with many rows the next one comes sooner, so that workers do not run out of work in between. */
const MANY_ROWS = 1_000;
const MANY_ROWS_MS = 200;

export type SweeperParts = {
  store: SweepStore;
  offers: Offers;
  queues: Queues;
  /** Shows messages again whose snooze has ended; returns how many. */
  unsnooze(): Promise<number>;
  /** Makes steps due again whose hold was resumed; returns how many. */
  releaseHeld(): Promise<number>;
  metrics: Pick<Metrics, 'rescue'>;
  log: EngineLog;
};

/**
 * Offers rows that are due and not in flight, and whose job is not in a queue that is being worked off. It recovers
 * from lost jobs, an emptied Redis and crashed workers. Lanes, organizations and environments take turns.
 */
export class Sweeper {
  private readonly loop: Loop;
  /** When a sweep last ended, also with an error; the health check judges the process by it. */
  lastSweepAt = performance.now();

  constructor(private readonly parts: SweeperParts) {
    const failed = `A sweep failed. The sweeper tries again every ${IDLE_MS} ms.`;
    const loop = { log: parts.log, idleMs: IDLE_MS, failed, worksAgain: 'The sweeper sweeps again.' };
    this.loop = new Loop(loop, () => this.round());
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Sweeps once; returns how many rows were released and offered and messages unsnoozed. */
  async sweep(): Promise<number> {
    const { store, offers, queues, metrics } = this.parts;
    const held = await this.parts.releaseHeld();
    // Their turn has come: no job was lost, so they are no rescue.
    const waiting = await store.releaseWaiting();
    if (waiting.length > 0) offers.steps(waiting);
    const overdue = await store.overdueTypes();
    const busyQueues: BusyQueues = overdue.length > 0 ? await queues.busyQueues(overdue) : new Map();
    const triggers = overdue.includes('trigger')
      ? await store.offerTriggers(SWEEP_LIMIT, IN_FLIGHT_CAP, busyQueues)
      : [];
    if (triggers.length > 0) offers.triggers(triggers);
    const steps = overdue.some((type) => type !== 'trigger')
      ? await store.offerSteps(SWEEP_LIMIT, IN_FLIGHT_CAP, busyQueues)
      : [];
    if (steps.length > 0) offers.steps(steps);
    // A row is counted once for each crash, also when it is offered several times.
    const isLapsed = (row: { lapsed: boolean; isFirst: boolean }): boolean => row.lapsed && row.isFirst;
    const [lapsedTriggers, lapsedSteps] = [triggers.filter(isLapsed).length, steps.filter(isLapsed).length];
    metrics.rescue('trigger', triggers.length - lapsedTriggers);
    metrics.rescue('step', steps.length - lapsedSteps);
    metrics.rescue('lease', lapsedTriggers + lapsedSteps);
    const unsnoozed = await this.parts.unsnooze();
    await store.endSweep();
    return held + waiting.length + triggers.length + steps.length + unsnoozed;
  }

  private async round(): Promise<number> {
    try {
      const offered = await this.sweep();
      return offered >= MANY_ROWS ? MANY_ROWS_MS : offered > 0 ? BUSY_MS : IDLE_MS;
    } finally {
      this.lastSweepAt = performance.now();
    }
  }
}
