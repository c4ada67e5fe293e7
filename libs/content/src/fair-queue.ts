import { DomainError } from '@clarion/contracts/core';

/**
 * How much render time an environment may use. In a gateway, an environment that has used it up gets a 429. In a worker
 * or engine its steps wait.
 */
export type TimeBudget = { msPerSecond: number; burstMs: number };

/** Jobs that take longer than this on average count as slow. */
const FAST_MS = 20;
/**
 * The weight of the newest job in the moving average, and its initial value: the first job in a new process takes
 * longer.
 */
const NEWEST = 0.2;
const FIRST_MS = 5;

/**
 * A text that exceeded its limits this many times in a row is rejected for a while, so that it does not occupy the
 * processes.
 */
const STRIKES = 3;
const REFUSE_MS = 5_000;
const STRUCK_TEXTS = 200;

/** How long an environment counts as slow after one of its jobs was terminated, regardless of its other jobs. */
const SLOW_AFTER_END_MS = 10_000;

/** The burst of a budget that an operator has set, in seconds of it, where there is no default budget. */
const BURST_SECONDS = 8;

/** Queues without work that are kept for their statistics. */
const IDLE_QUEUES = 1_000;

/** The waiting jobs of one environment, with the statistics of its earlier jobs. */
export class EnvironmentQueue<T> {
  readonly waiting: T[] = [];
  /** Processes that run jobs of this environment. */
  running = 0;
  /** Render time that the environment has used, on the virtual clock of `FairQueue`. */
  time = 0;
  /** The moving average of the time of one job; undefined before the first job. */
  private jobMs?: number;
  private slowUntil = 0;
  private credit?: { ms: number; at: number };
  private readonly struck = new Map<string, { strikes: number; refusedUntil: number }>();

  /** With `refuses`, jobs fail while the budget is used up. Otherwise callers ask for the budget before they render. */
  constructor(
    private readonly budgetOf: () => TimeBudget | undefined,
    private readonly refuses: boolean,
  ) {}

  /** An environment without a finished job is neither fast nor slow. */
  get isFast(): boolean {
    return this.jobMs !== undefined && !this.isSlow;
  }

  get isSlow(): boolean {
    return (this.jobMs !== undefined && this.jobMs > FAST_MS) || this.slowUntil > performance.now();
  }

  /** How many jobs are expected to fit into this time; `unknown` when there is no average yet. */
  jobsWithin(ms: number, unknown: number): number {
    return this.jobMs === undefined ? unknown : Math.max(1, Math.floor(ms / Math.max(this.jobMs, 0.001)));
  }

  charge(ms: number): void {
    this.time += ms;
    const average = this.jobMs ?? FIRST_MS;
    this.jobMs = average + NEWEST * (ms - average);
    this.debit(ms);
  }

  /** Charges the budget only, not the turn of the environment. */
  debit(ms: number): void {
    const budget = this.budgetOf();
    if (!budget) return;
    this.refill(budget);
    this.credit!.ms -= ms;
  }

  /** In how many milliseconds the budget is no longer used up; 0 if it is not. */
  overBudgetMs(): number {
    const budget = this.budgetOf();
    if (!budget || !this.credit) return 0;
    this.refill(budget);
    return this.credit.ms > 0 ? 0 : Math.max(1, (-this.credit.ms * 1_000) / budget.msPerSecond);
  }

  /** Milliseconds a second; undefined without a budget. */
  get msPerSecond(): number | undefined {
    return this.budgetOf()?.msPerSecond;
  }

  /** The error to reject jobs with while the budget is used up. */
  budgetError(): DomainError | undefined {
    const waitMs = this.refuses ? this.overBudgetMs() : 0;
    if (waitMs === 0) return undefined;
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return new DomainError(
      'too_many_requests',
      `The templates and schemas of this environment have used up their processor time of ${this.msPerSecond} ms ` +
        `a second; try again in ${seconds} s`,
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

  /** Records that a job was terminated because of this text. */
  strike(text: string): void {
    this.slowUntil = performance.now() + SLOW_AFTER_END_MS;
    if (text === '') return;
    const strikes = (this.struck.get(text)?.strikes ?? 0) + 1;
    this.struck.delete(text);
    this.struck.set(text, { strikes, refusedUntil: strikes >= STRIKES ? performance.now() + REFUSE_MS : 0 });
    if (this.struck.size > STRUCK_TEXTS) this.struck.delete(this.struck.keys().next().value!);
  }

  clearStrikes(texts: { text: string }[]): void {
    if (this.struck.size > 0) for (const { text } of texts) this.struck.delete(text);
  }

  findRefused<P extends { text: string }>(texts: P[]): P | undefined {
    if (this.struck.size === 0) return undefined;
    return texts.find(({ text }) => (this.struck.get(text)?.refusedUntil ?? 0) > performance.now());
  }
}

/**
 * Fair queueing: the environment that has used the least render time is next. An environment that returns after a pause
 * starts at the current virtual time, so it neither saves up time nor pays for time that others used before.
 */
export class FairQueue<T> {
  private readonly queues = new Map<string, EnvironmentQueue<T>>();
  private readonly busy = new Set<EnvironmentQueue<T>>();
  private virtualTime = 0;

  /** Milliseconds a second of environments whose budget an operator has set. */
  budgets: ReadonlyMap<string, number> = new Map();

  constructor(private readonly budget?: TimeBudget) {}

  of(environmentId: string): EnvironmentQueue<T> {
    let queue = this.queues.get(environmentId);
    if (queue) this.queues.delete(environmentId);
    else queue = new EnvironmentQueue(() => this.budgetOf(environmentId), this.budget !== undefined);
    this.queues.set(environmentId, queue);
    if (this.queues.size > IDLE_QUEUES + this.busy.size) this.forgetOldest();
    return queue;
  }

  private budgetOf(environmentId: string): TimeBudget | undefined {
    const msPerSecond = this.budgets.get(environmentId);
    if (msPerSecond === undefined) return this.budget;
    if (!this.budget) return { msPerSecond, burstMs: msPerSecond * BURST_SECONDS };
    return { msPerSecond, burstMs: (this.budget.burstMs * msPerSecond) / this.budget.msPerSecond };
  }

  add(queue: EnvironmentQueue<T>, task: T): void {
    if (queue.waiting.length === 0 && queue.running === 0) queue.time = Math.max(queue.time, this.virtualTime);
    queue.waiting.push(task);
    this.busy.add(queue);
  }

  /** Returns tasks to the front of their queue. */
  putBack(queue: EnvironmentQueue<T>, tasks: T[]): void {
    if (tasks.length === 0) return;
    queue.waiting.unshift(...tasks);
    this.busy.add(queue);
  }

  get isEmpty(): boolean {
    return this.busy.size === 0;
  }

  /** Queues with waiting jobs, least used time first. */
  inTurn(): EnvironmentQueue<T>[] {
    return [...this.busy].sort((one, other) => one.time - other.time);
  }

  /** Must be called after jobs were removed from the queue. */
  onTaken(queue: EnvironmentQueue<T>): void {
    this.virtualTime = Math.max(this.virtualTime, queue.time);
    if (queue.waiting.length === 0) this.busy.delete(queue);
  }

  takeAll(): T[] {
    const tasks = [...this.busy].flatMap((queue) => queue.waiting.splice(0));
    this.busy.clear();
    return tasks;
  }

  private forgetOldest(): void {
    for (const [environmentId, queue] of this.queues) {
      if (queue.running > 0 || queue.waiting.length > 0) continue;
      this.queues.delete(environmentId);
      return;
    }
  }
}
