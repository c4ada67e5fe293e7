import type { Metrics } from '@clarion/platform';
import type { EngineLog, Offers, SweepStore } from './ports';

/** Rows that one look may offer, and rows that may be under way, shared among the environments (and their channels). */
export const SWEEP_LIMIT = 5_000;
export const UNDER_WAY_CAP = 5_000;

const IDLE_MS = 1_000;
const BUSY_MS = 500;
/** With much to offer the next look comes sooner: whoever works should not run out of work in between. */
const FLOOD = 1_000;
const FLOOD_MS = 200;

export type SweeperParts = {
  store: SweepStore;
  offers: Offers;
  /** Messages whose snooze has ended come back. */
  unsnooze(): Promise<number>;
  metrics: Pick<Metrics, 'rescue'>;
  log: EngineLog;
};

/**
 * Offers whatever is due and not moving. It is the recovery path (a lost job, an emptied Redis, a dead worker) and the
 * fairness path (what was not offered at once, because its environment has much under way) in one.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  /** When a look last ended, well or not, for whoever judges this process by its progress. */
  lastLookAt = performance.now();

  constructor(private readonly parts: SweeperParts) {}

  start(): void {
    this.schedule(IDLE_MS);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** One look at everything; returns how many rows were offered. */
  async sweep(): Promise<number> {
    const { store, offers, metrics } = this.parts;
    const triggers = await store.offerTriggers(SWEEP_LIMIT, UNDER_WAY_CAP);
    if (triggers.length > 0) offers.triggers(triggers);
    const steps = await store.offerSteps(SWEEP_LIMIT, UNDER_WAY_CAP);
    if (steps.length > 0) offers.steps(steps);
    const isLapsed = ({ lapsed }: { lapsed: boolean }): boolean => lapsed;
    const [lapsedTriggers, lapsedSteps] = [triggers.filter(isLapsed).length, steps.filter(isLapsed).length];
    metrics.rescue('trigger', triggers.length - lapsedTriggers);
    metrics.rescue('step', steps.length - lapsedSteps);
    metrics.rescue('lease', lapsedTriggers + lapsedSteps);
    return triggers.length + steps.length + (await this.parts.unsnooze());
  }

  private schedule(milliseconds: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep()
        .then((offered) => this.schedule(offered >= FLOOD ? FLOOD_MS : offered > 0 ? BUSY_MS : IDLE_MS))
        .catch((error: unknown) => {
          this.parts.log.warn({ err: error }, 'the sweeper could not look; it tries again');
          this.schedule(IDLE_MS);
        })
        .finally(() => (this.lastLookAt = performance.now()));
    }, milliseconds);
    this.timer.unref();
  }
}
