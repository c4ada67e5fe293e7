/** Staged deliveries per call in flight. */
const STAGED_PER_CALL = 8;

/** Releases a permit; called once. */
export type ReleasePermit = () => void;

export type PermitRequest = {
  /** How many messages share one call to this account. */
  perCall?: number;
  /** Whether the request comes before those that wait already. */
  goesFirst?: boolean;
  /** Whether the message was tried before: it lets others go before it. */
  isRetry?: boolean;
};

/**
 * Limits the concurrent calls to each provider account, so that a slow account fills its lane and not the whole worker.
 * A delivery passes two stages, each with permits: it is staged while its mark is written to the database (many marks
 * share one statement), then its call is in flight. Deliveries that find `maxWaiting` others waiting for the first
 * stage come back later.
 */
export class Lanes {
  private readonly staged: PermitPool;
  private readonly inFlight: PermitPool;

  /** Limits per account. */
  constructor(
    maxInFlight: number,
    private readonly maxWaiting: number,
  ) {
    this.staged = new PermitPool(maxInFlight * STAGED_PER_CALL);
    this.inFlight = new PermitPool(maxInFlight);
  }

  /** True when no more deliveries should wait for this account, or if it has so many already. */
  isFull(accountId: string, most = Infinity): boolean {
    return this.staged.waiting(accountId) >= this.maxWaiting || this.staged.size(accountId) >= most;
  }

  /** Waits for a permit of the first stage. */
  stage(accountId: string, request?: PermitRequest): Promise<ReleasePermit> {
    return this.staged.acquire(accountId, request);
  }

  /** Waits for a permit to call the account. */
  enter(accountId: string, request?: PermitRequest): Promise<ReleasePermit> {
    return this.inFlight.acquire(accountId, request);
  }
}

/** Requests that wait for a permit, by kind. */
type Lane = {
  used: number;
  first: (() => void)[];
  waiting: (() => void)[];
  retries: (() => void)[];
  /** Requests that went before the retries that wait. */
  passed: number;
};

/** Of the requests that wait, one retry follows so many others: retries wait longer, and not without end. */
const BEFORE_A_RETRY = 4;

/**
 * A limited number of permits for each account, given out in the order of the requests: first those that go first, and
 * retries after the others.
 */
class PermitPool {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly permits: number) {}

  /** Requests that wait for a permit. */
  waiting(accountId: string): number {
    const lane = this.lanes.get(accountId);
    return lane ? lane.first.length + lane.waiting.length + lane.retries.length : 0;
  }

  /** Requests that wait for a permit or have one. */
  size(accountId: string): number {
    return (this.lanes.get(accountId)?.used ?? 0) + this.waiting(accountId);
  }

  acquire(
    accountId: string,
    { perCall = 1, goesFirst = false, isRetry = false }: PermitRequest = {},
  ): Promise<ReleasePermit> {
    let existing = this.lanes.get(accountId);
    if (!existing) {
      existing = { used: 0, first: [], waiting: [], retries: [], passed: 0 };
      this.lanes.set(accountId, existing);
    }
    const lane = existing;
    const release = (): void => this.release(accountId, lane);
    if (lane.used < this.permits * perCall) {
      lane.used += 1;
      return Promise.resolve(release);
    }
    const line = goesFirst ? lane.first : isRetry ? lane.retries : lane.waiting;
    return new Promise((resolve) => line.push(() => resolve(release)));
  }

  private release(accountId: string, lane: Lane): void {
    const next = lane.first.shift() ?? takeNext(lane);
    if (next) return next();
    lane.used -= 1;
    if (lane.used === 0) this.lanes.delete(accountId);
  }
}

/** The request that has waited longest: a retry after enough others, or without any. */
function takeNext(lane: Lane): (() => void) | undefined {
  const isTurnOfRetries = lane.passed >= BEFORE_A_RETRY || lane.waiting.length === 0;
  if (lane.retries.length === 0 || !isTurnOfRetries) {
    lane.passed = lane.retries.length === 0 ? 0 : lane.passed + 1;
    return lane.waiting.shift();
  }
  lane.passed = 0;
  return lane.retries.shift();
}
