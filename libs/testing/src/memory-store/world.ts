import type { Random } from './random';

export const BEGIN = Date.UTC(2030, 0, 1);

type Event = { at: number; order: number; run: () => void };
type Interval = { next: number; every: number; run: () => void; stopped: boolean; unref: () => unknown };

/**
 * The simulated clock and its events. The clock jumps from event to event without waiting, and between two events every
 * promise that can continue does so. It replaces `setImmediate` and `setInterval`, because the simulated code uses
 * them.
 */
export class World {
  now = BEGIN;
  private readonly events: Event[] = [];
  private immediates: (() => void)[] = [];
  private order = 0;
  /** The intervals that `collectTimers` collects. */
  private collected: Interval[] = [];
  private activeIntervals: Interval[] = [];
  private nextIntervalAt = Infinity;
  /** When the database was last away, or will be. */
  lastAway = { from: 0, until: 0 };
  /** Calls in flight. Intervals only renew leases during a call, so without calls the clock skips them. */
  calls = 0;
  private readonly lines: string[] = [];
  /** How often each fault was injected. */
  readonly faultCounts: Record<string, number> = {};

  constructor(
    readonly random: Random,
    private readonly tracing: boolean,
  ) {}

  log(line: () => string): void {
    if (this.tracing) this.lines.push(`${((this.now - BEGIN) / 1000).toFixed(3).padStart(10)} ${line()}`);
  }

  count(name: string): void {
    this.faultCounts[name] = (this.faultCounts[name] ?? 0) + 1;
  }

  get isDatabaseAway(): boolean {
    return this.now >= this.lastAway.from && this.now < this.lastAway.until;
  }

  /** The database does not answer for some time. */
  letDatabaseBeAway(milliseconds: number): void {
    this.lastAway = { from: this.now, until: this.now + milliseconds };
    this.count('outages');
    this.log(() => `the database is away for ${milliseconds} ms`);
  }

  get trace(): string {
    return this.lines.join('\n');
  }

  after(milliseconds: number, run: () => void): void {
    this.insert({ at: this.now + milliseconds, order: (this.order += 1), run });
  }

  /**
   * Runs until no event is left. `nextWork` returns the time of work for which there is no event, and `work` does it.
   * Returns false when the simulation did not end within `maxEvents`.
   */
  async run(nextWork: () => number, work: () => void, maxEvents: number): Promise<boolean> {
    for (let count = 0; count < maxEvents; count += 1) {
      const eventAt = this.events[0]?.at ?? Infinity;
      const workAt = nextWork();
      if (eventAt === Infinity && workAt === Infinity) return true;
      const intervalAt = this.calls > 0 ? this.nextIntervalAt : Infinity;
      this.now = Math.max(this.now, Math.min(eventAt, workAt, intervalAt));
      if (intervalAt <= this.now) this.runDueIntervals();
      else if (workAt < eventAt) work();
      else this.removeFirst().run();
      await this.settle();
    }
    return false;
  }

  /** In a promise job, `process.nextTick` runs after every promise that can continue. */
  private async settle(): Promise<void> {
    await tick();
    while (this.immediates.length > 0) {
      for (const run of this.immediates.splice(0)) run();
      await tick();
    }
  }

  /** Collects the timers that `make` sets; `end` stops them. */
  collectTimers<T>(make: () => T): { made: T; end: () => void } {
    const before = this.collected;
    this.collected = [];
    const made = make();
    const collected = this.collected;
    this.collected = before;
    return { made, end: () => collected.forEach((interval) => (interval.stopped = true)) };
  }

  /** Replaces the global timers. The returned function restores them. */
  replaceTimers(): () => void {
    const { setImmediate, clearImmediate, setInterval, clearInterval } = globalThis;
    Object.assign(globalThis, {
      setImmediate: (run: () => void) => {
        this.immediates.push(run);
        return run;
      },
      clearImmediate: (run: () => void) => {
        this.immediates = this.immediates.filter((waiting) => waiting !== run);
      },
      setInterval: (run: () => void, milliseconds: number) => this.every(run, milliseconds),
      clearInterval: (interval: Interval) => {
        interval.stopped = true;
      },
    });
    return () => void Object.assign(globalThis, { setImmediate, clearImmediate, setInterval, clearInterval });
  }

  private every(run: () => void, every: number): Interval {
    const interval: Interval = { next: this.now + every, every, run, stopped: false, unref: () => interval };
    this.collected.push(interval);
    this.activeIntervals.push(interval);
    this.nextIntervalAt = Math.min(this.nextIntervalAt, interval.next);
    return interval;
  }

  private runDueIntervals(): void {
    this.activeIntervals = this.activeIntervals.filter(({ stopped }) => !stopped);
    for (const interval of this.activeIntervals) {
      if (interval.next > this.now) continue;
      interval.next = this.now + interval.every;
      interval.run();
    }
    this.nextIntervalAt = Math.min(...this.activeIntervals.map(({ next }) => next));
  }

  private insert(event: Event): void {
    const { events } = this;
    let at = events.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(event, events[above]!)) break;
      events[at] = events[above]!;
      at = above;
    }
    events[at] = event;
  }

  private removeFirst(): Event {
    const { events } = this;
    const first = events[0]!;
    const last = events.pop()!;
    if (events.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && isBefore(events[below + 1]!, events[below]!)) below += 1;
      if (!isBefore(events[below]!, last)) break;
      events[at] = events[below]!;
      at = below;
    }
    events[at] = last;
    return first;
  }
}

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
