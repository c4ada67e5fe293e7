import { DomainError } from '@clarion/contracts/core';

/** How much thread time an environment may take; one that takes more is asked to come back later. */
export type TimeBudget = { msPerSecond: number; burstMs: number };

/** Jobs that take longer than this on average count as slow. */
const FAST_MS = 20;
/** The share of the newest job in the average, and where the average begins: a first job in a fresh thread takes longer. */
const NEWEST = 0.2;
const FIRST_MS = 5;

/** A text that was too costly this often in a row is refused for a while: it must not take the threads from the rest. */
const STRIKES = 3;
const REFUSE_MS = 5_000;
const STRUCK_TEXTS = 200;

/** How long an environment counts as slow after one of its jobs was ended, however fast its other jobs are. */
const SLOW_AFTER_END_MS = 10_000;

/** Environments that are remembered without having work here. */
const IDLE_LANES = 1_000;

/** The jobs of one environment that wait, and what is known of those before them. */
export class Lane<T> {
  readonly waiting: T[] = [];
  /** Threads that work on jobs of this environment. */
  running = 0;
  /** Thread time that it has had, on the scale that all lanes share. */
  time = 0;
  /** The moving average of one job; unknown before the first one. */
  private jobMs?: number;
  private slowUntil = 0;
  private credit?: { ms: number; at: number };
  private readonly struck = new Map<string, { strikes: number; refusedUntil: number }>();

  constructor(private readonly budget: TimeBudget | undefined) {}

  /** Unknown is neither fast nor slow. */
  get isFast(): boolean {
    return this.jobMs !== undefined && !this.isSlow;
  }

  get isSlow(): boolean {
    return (this.jobMs !== undefined && this.jobMs > FAST_MS) || this.slowUntil > performance.now();
  }

  /** How many jobs are likely to take this long. */
  jobsWithin(ms: number, unknown: number): number {
    return this.jobMs === undefined ? unknown : Math.max(1, Math.floor(ms / Math.max(this.jobMs, 0.001)));
  }

  charge(ms: number): void {
    this.time += ms;
    const average = this.jobMs ?? FIRST_MS;
    this.jobMs = average + NEWEST * (ms - average);
    this.debit(ms);
  }

  /** Takes time from the budget alone. */
  debit(ms: number): void {
    if (!this.budget) return;
    this.refill(this.budget);
    this.credit!.ms -= ms;
  }

  /** A refusal when the environment has used up its time. */
  overdraft(): DomainError | undefined {
    if (!this.budget || !this.credit) return undefined;
    this.refill(this.budget);
    if (this.credit.ms > 0) return undefined;
    const seconds = Math.max(1, Math.ceil(-this.credit.ms / this.budget.msPerSecond));
    return new DomainError(
      'too_many_requests',
      `The templates and schemas of this environment have used up their processor time; try again in ${seconds} s`,
      {},
      { 'Retry-After': String(seconds) },
    );
  }

  private refill({ msPerSecond, burstMs }: TimeBudget): void {
    const now = performance.now();
    this.credit ??= { ms: burstMs, at: now };
    this.credit.ms = Math.min(burstMs, this.credit.ms + ((now - this.credit.at) / 1_000) * msPerSecond);
    this.credit.at = now;
  }

  /** After a job of it was ended because of this text. */
  strike(text: string): void {
    this.slowUntil = performance.now() + SLOW_AFTER_END_MS;
    if (text === '') return;
    const strikes = (this.struck.get(text)?.strikes ?? 0) + 1;
    this.struck.delete(text);
    this.struck.set(text, { strikes, refusedUntil: strikes >= STRIKES ? performance.now() + REFUSE_MS : 0 });
    if (this.struck.size > STRUCK_TEXTS) this.struck.delete(this.struck.keys().next().value!);
  }

  forgive(texts: { text: string }[]): void {
    if (this.struck.size > 0) for (const { text } of texts) this.struck.delete(text);
  }

  refused<P extends { text: string }>(texts: P[]): P | undefined {
    if (this.struck.size === 0) return undefined;
    return texts.find(({ text }) => (this.struck.get(text)?.refusedUntil ?? 0) > performance.now());
  }
}

/**
 * Which environment is next: the one that has had the least thread time among those that wait. One that comes back after a
 * pause starts at the time of the others, so it neither saves up time nor waits for what others had before.
 */
export class Lanes<T> {
  private readonly lanes = new Map<string, Lane<T>>();
  private readonly busy = new Set<Lane<T>>();
  private now = 0;

  constructor(private readonly budget?: TimeBudget) {}

  of(environmentId: string): Lane<T> {
    let lane = this.lanes.get(environmentId);
    if (lane) this.lanes.delete(environmentId);
    else lane = new Lane(this.budget);
    this.lanes.set(environmentId, lane);
    if (this.lanes.size > IDLE_LANES + this.busy.size) this.forgetOldest();
    return lane;
  }

  add(lane: Lane<T>, task: T): void {
    if (lane.waiting.length === 0 && lane.running === 0) lane.time = Math.max(lane.time, this.now);
    lane.waiting.push(task);
    this.busy.add(lane);
  }

  /** Puts tasks back that were taken and not done. */
  putBack(lane: Lane<T>, tasks: T[]): void {
    if (tasks.length === 0) return;
    lane.waiting.unshift(...tasks);
    this.busy.add(lane);
  }

  get isEmpty(): boolean {
    return this.busy.size === 0;
  }

  /** Lanes with waiting jobs, those that had the least time first. */
  inTurn(): Lane<T>[] {
    return [...this.busy].sort((one, other) => one.time - other.time);
  }

  /** After jobs of the lane were taken. */
  taken(lane: Lane<T>): void {
    this.now = Math.max(this.now, lane.time);
    if (lane.waiting.length === 0) this.busy.delete(lane);
  }

  takeAll(): T[] {
    const tasks = [...this.busy].flatMap((lane) => lane.waiting.splice(0));
    this.busy.clear();
    return tasks;
  }

  private forgetOldest(): void {
    for (const [environmentId, lane] of this.lanes) {
      if (lane.running > 0 || lane.waiting.length > 0) continue;
      this.lanes.delete(environmentId);
      return;
    }
  }
}
