import type { Random } from './random';

export const BEGIN = Date.UTC(2030, 0, 1);

type Event = { at: number; order: number; run: () => void };
type Interval = { next: number; every: number; run: () => void; stopped: boolean; unref: () => unknown };

/**
 * Time and the order of things. Nothing in here waits: the clock jumps from event to event, and between two events
 * every promise that can go on does. While it runs it also stands in for `setImmediate` and `setInterval`, because
 * what is simulated uses them.
 */
export class World {
  now = BEGIN;
  private readonly events: Event[] = [];
  private immediates: (() => void)[] = [];
  private order = 0;
  private intervals: Interval[] = [];
  private beating: Interval[] = [];
  private nextBeat = Infinity;
  /**
   * Calls that are under way somewhere. Without any, nobody needs the beat of an interval, and time can jump over it.
   */
  calls = 0;
  private readonly story: string[] = [];
  /** How often something went wrong on purpose. */
  readonly times: Record<string, number> = {};

  constructor(
    readonly random: Random,
    private readonly tracing: boolean,
  ) {}

  tell(what: () => string): void {
    if (this.tracing) this.story.push(`${((this.now - BEGIN) / 1000).toFixed(3).padStart(10)} ${what()}`);
  }

  count(name: string): void {
    this.times[name] = (this.times[name] ?? 0) + 1;
  }

  get trace(): string {
    return this.story.join('\n');
  }

  after(milliseconds: number, run: () => void): void {
    this.insert({ at: this.now + milliseconds, order: (this.order += 1), run });
  }

  /**
   * Until nothing is left to happen. `nextWork` says when there will be something to do that no event announces, and
   * `work` does it. False when it did not come to an end.
   */
  async run(nextWork: () => number, work: () => void, mostTurns: number): Promise<boolean> {
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const eventAt = this.events[0]?.at ?? Infinity;
      const workAt = nextWork();
      if (eventAt === Infinity && workAt === Infinity) return true;
      const beatAt = this.calls > 0 ? this.nextBeat : Infinity;
      this.now = Math.max(this.now, Math.min(eventAt, workAt, beatAt));
      if (beatAt <= this.now) this.beat();
      else if (workAt < eventAt) work();
      else this.removeFirst().run();
      await this.settle();
    }
    return false;
  }

  /** Ticks come after every promise that can go on. */
  private async settle(): Promise<void> {
    await tick();
    while (this.immediates.length > 0) {
      for (const run of this.immediates.splice(0)) run();
      await tick();
    }
  }

  /** Timers that are set while `make` runs; the returned function ends them. */
  collectTimers<T>(make: () => T): { made: T; end: () => void } {
    const before = this.intervals;
    this.intervals = [];
    const made = make();
    const own = this.intervals;
    this.intervals = before;
    return { made, end: () => own.forEach((interval) => (interval.stopped = true)) };
  }

  /** The global timers are this world's until the returned function is called. */
  takeOver(): () => void {
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
    this.intervals.push(interval);
    this.beating.push(interval);
    this.nextBeat = Math.min(this.nextBeat, interval.next);
    return interval;
  }

  private beat(): void {
    this.beating = this.beating.filter(({ stopped }) => !stopped);
    for (const interval of this.beating) {
      if (interval.next > this.now) continue;
      interval.next = this.now + interval.every;
      interval.run();
    }
    this.nextBeat = Math.min(...this.beating.map(({ next }) => next));
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
