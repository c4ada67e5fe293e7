import { type DomainError, retryLater, type TenantLevel, type TenantShare } from '@clarion/contracts/core';
import { StruckTexts } from './struck-texts';

/**
 * How much render time an environment, its organization and all together may use, in milliseconds a second, and how
 * much of it an environment may use at once. In a gateway, an environment that has used it up gets a 429. In a worker
 * or engine its steps wait.
 */
export type TimeBudget = { share: TenantShare; burstMs: number };

export type OrganizationOf = (environmentId: string) => string;

/** Jobs that take longer than this on average count as slow. */
const FAST_MS = 20;
/** The weight of the newest job in the moving average, which begins high: the first job of a process takes longer. */
const NEWEST = 0.2;
const FIRST_MS = 5;

/** How long an environment counts as slow after one of its jobs was terminated, regardless of its other jobs. */
const SLOW_AFTER_END_MS = 10_000;

/** The burst of a budget that an operator has set, in seconds of it, where there is no default budget. */
const BURST_SECONDS = 8;

/** Queues without work that are kept for their statistics. */
const IDLE_QUEUES = 1_000;

/** Render time that can be used up and comes back. Without a budget there is always more. */
class Credit {
  private left?: { ms: number; at: number };

  constructor(
    readonly level: TenantLevel,
    private readonly budgetOf: () => { msPerSecond: number; burstMs: number } | undefined,
  ) {}

  get msPerSecond(): number | undefined {
    return this.budgetOf()?.msPerSecond;
  }

  debit(ms: number): void {
    const budget = this.budgetOf();
    if (!budget) return;
    const { msPerSecond, burstMs } = budget;
    const now = performance.now();
    const { ms: left, at } = this.left ?? { ms: burstMs, at: now };
    this.left = { ms: Math.min(burstMs, left + ((now - at) / 1_000) * msPerSecond) - ms, at: now };
  }

  /** In how many milliseconds it is no longer used up; 0 if it is not. */
  overMs(): number {
    this.debit(0);
    if (!this.left || this.left.ms > 0 || this.msPerSecond === undefined) return 0;
    return Math.max(1, (-this.left.ms * 1_000) / this.msPerSecond);
  }
}

/** A budget that is used up, in milliseconds a second, and when it no longer is. */
export type OverBudget = { waitMs: number; msPerSecond: number; level: TenantLevel };

const USED_UP_BY: Record<TenantLevel, string> = {
  environment: 'this environment',
  organization: 'all environments of this organization',
  gateway: 'all callers of this gateway',
};

/** The waiting jobs of one environment, with the statistics of its earlier jobs. */
export class EnvironmentQueue<T> {
  readonly waiting: T[] = [];
  running = 0;
  /** Render time that the environment has used, on the virtual clock of `FairQueue`. */
  time = 0;
  /** The moving average of the time of one job; undefined before the first job. */
  private jobMs?: number;
  private slowUntil = 0;

  /** With `refuses`, jobs fail while the budget is used up. Otherwise callers ask for the budget before they render. */
  constructor(
    private readonly environmentId: string,
    private readonly struck: StruckTexts,
    /** Those of the environment, of its organization and of all. */
    private readonly credits: () => [Credit, ...Credit[]],
    private readonly refuses: boolean,
    readonly organization: () => string,
    /** How many environments of the organization have waiting jobs: they share its turn. */
    private readonly siblings: () => number,
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
    this.time += ms * Math.max(1, this.siblings());
    const average = this.jobMs ?? FIRST_MS;
    this.jobMs = average + NEWEST * (ms - average);
    this.debit(ms);
  }

  /** Charges the budget only, not the turn of the environment. */
  debit(ms: number): void {
    for (const credit of this.credits()) credit.debit(ms);
  }

  /** The budget that is used up for the longest time, in milliseconds a second; undefined if none is. */
  overBudget(): OverBudget | undefined {
    const over = this.credits().map((credit) => ({ credit, waitMs: credit.overMs() }));
    // The times differ a little, because they are read one after the other: of equal ones, the narrower level is named.
    const { credit, waitMs } = over.reduce((one, other) => (other.waitMs > one.waitMs + 1 ? other : one));
    return waitMs === 0 ? undefined : { waitMs, msPerSecond: credit.msPerSecond!, level: credit.level };
  }

  /** The error to reject jobs with while the budget is used up. */
  budgetError(): DomainError | undefined {
    const over = this.refuses ? this.overBudget() : undefined;
    if (!over) return undefined;
    const { waitMs, level, msPerSecond } = over;
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    const used = `have used up their processor time of ${msPerSecond} ms a second; try again in ${seconds} s`;
    return retryLater('too_many_requests', `The templates and schemas of ${USED_UP_BY[level]} ${used}`, seconds);
  }

  /** Records that a job was terminated because of this text. */
  strike(text: string): void {
    this.slowUntil = performance.now() + SLOW_AFTER_END_MS;
    if (text !== '') this.struck.strike(this.environmentId, text);
  }

  clearStrikes(texts: { text: string }[]): void {
    for (const { text } of texts) this.struck.clear(this.environmentId, text);
  }

  findRefused<P extends { text: string }>(texts: P[]): P | undefined {
    return texts.find(({ text }) => this.struck.isRefused(this.environmentId, text));
  }
}

/**
 * Fair queueing: the environment that has used the least render time is next. An environment that returns after a pause
 * starts at the current virtual time, so it neither saves up time nor pays for time that others used before. The time
 * of an environment counts as often as its organization has environments with waiting jobs, so those get no more
 * together than the only environment of another organization.
 */
export class FairQueue<T> {
  private readonly queues = new Map<string, EnvironmentQueue<T>>();
  /** Queues with waiting jobs, with their organization, and how many of them each organization has. */
  private readonly busy = new Map<EnvironmentQueue<T>, string>();
  private readonly busyOf = new Map<string, number>();
  private readonly all = new Credit('gateway', () => this.budgetFor('gateway'));
  private readonly organizations = new Map<string, Credit>();
  private readonly struck: StruckTexts;
  private virtualTime = 0;

  budgets: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly budget?: TimeBudget,
    private readonly organizationOf: OrganizationOf = (environmentId) => environmentId,
  ) {
    this.struck = new StruckTexts(organizationOf);
  }

  of(environmentId: string): EnvironmentQueue<T> {
    let queue = this.queues.get(environmentId);
    if (queue) this.queues.delete(environmentId);
    else queue = this.create(environmentId);
    this.queues.set(environmentId, queue);
    if (this.queues.size > IDLE_QUEUES + this.busy.size) this.forgetOldest();
    return queue;
  }

  private create(environmentId: string): EnvironmentQueue<T> {
    const own = new Credit('environment', () => this.budgetFor('environment', this.budgets.get(environmentId)));
    const organization = (): string => this.organizationOf(environmentId);
    const credits = (): [Credit, ...Credit[]] => [own, this.creditOf(organization()), this.all];
    const siblings = (): number => this.busyOf.get(organization()) ?? 0;
    return new EnvironmentQueue<T>(
      environmentId,
      this.struck,
      credits,
      this.budget !== undefined,
      organization,
      siblings,
    );
  }

  private creditOf(organization: string): Credit {
    let credit = this.organizations.get(organization);
    if (!credit) {
      if (this.organizations.size >= IDLE_QUEUES) this.organizations.clear();
      credit = new Credit('organization', () => this.budgetFor('organization', this.setFor(organization)));
      this.organizations.set(organization, credit);
    }
    return credit;
  }

  /** What an operator has set for the organization; at least what is set for one of its environments. */
  private setFor(organization: string): number | undefined {
    const set = this.budgets.get(organization);
    if (set !== undefined || !this.budget || this.budgets.size === 0) return set;
    const own = [...this.budgets].filter(([environmentId]) => this.organizationOf(environmentId) === organization);
    return Math.max(this.budget.share.organization, ...own.map(([, msPerSecond]) => msPerSecond));
  }

  /** `set`: what an operator has set. The burst grows with the budget. */
  private budgetFor(level: TenantLevel, set?: number): { msPerSecond: number; burstMs: number } | undefined {
    const msPerSecond = set ?? this.budget?.share[level];
    if (msPerSecond === undefined) return undefined;
    if (!this.budget) return { msPerSecond, burstMs: msPerSecond * BURST_SECONDS };
    return { msPerSecond, burstMs: (this.budget.burstMs * msPerSecond) / this.budget.share.environment };
  }

  private setBusy(queue: EnvironmentQueue<T>, isBusy: boolean): void {
    if (this.busy.has(queue) === isBusy) return;
    const organization = this.busy.get(queue) ?? queue.organization();
    const count = (this.busyOf.get(organization) ?? 0) + (isBusy ? 1 : -1);
    if (count > 0) this.busyOf.set(organization, count);
    else this.busyOf.delete(organization);
    if (isBusy) this.busy.set(queue, organization);
    else this.busy.delete(queue);
  }

  add(queue: EnvironmentQueue<T>, task: T): void {
    if (queue.waiting.length === 0 && queue.running === 0) queue.time = Math.max(queue.time, this.virtualTime);
    queue.waiting.push(task);
    this.setBusy(queue, true);
  }

  /** Returns tasks to the front of their queue. */
  putBack(queue: EnvironmentQueue<T>, tasks: T[]): void {
    if (tasks.length === 0) return;
    queue.waiting.unshift(...tasks);
    this.setBusy(queue, true);
  }

  get isEmpty(): boolean {
    return this.busy.size === 0;
  }

  inTurn(): EnvironmentQueue<T>[] {
    return [...this.busy.keys()].sort((one, other) => one.time - other.time);
  }

  /** Must be called after jobs were removed from the queue. */
  onTaken(queue: EnvironmentQueue<T>): void {
    this.virtualTime = Math.max(this.virtualTime, queue.time);
    if (queue.waiting.length === 0) this.setBusy(queue, false);
  }

  takeAll(): T[] {
    const queues = [...this.busy.keys()];
    for (const queue of queues) this.setBusy(queue, false);
    return queues.flatMap((queue) => queue.waiting.splice(0));
  }

  private forgetOldest(): void {
    for (const [environmentId, queue] of this.queues) {
      if (queue.running > 0 || queue.waiting.length > 0) continue;
      this.queues.delete(environmentId);
      return;
    }
  }
}
