import { WaitingLine } from '@clarion/claims';
import { type Lane, laneAt } from '@clarion/contracts/core';

/** Staged deliveries per call in flight. */
const STAGED_PER_CALL = 8;

/** Releases a permit; called once. */
export type ReleasePermit = () => void;

export type PermitRequest = {
  /** Who goes first (`placeOf`). */
  place: number;
  /** How many messages share one call to this account. */
  perCall?: number;
};

/**
 * Limits the concurrent calls to each provider account, so that a slow account fills its permits and not the whole
 * worker. A delivery passes two stages, each with permits: it is staged while its mark is written to the database (many
 * marks share one statement), then its call is in flight. Deliveries that find `maxWaiting` others of their lane, or of
 * one before it, waiting for the first stage come back later.
 */
export class CallPermits {
  private readonly staged = new PermitPool(this.maxInFlight * STAGED_PER_CALL, this.now);
  private readonly inFlight = new PermitPool(this.maxInFlight, this.now);

  constructor(
    private readonly maxInFlight: number,
    private readonly maxWaiting: number,
    private readonly now = (): number => performance.now(),
  ) {}

  /**
   * True when no more deliveries of the lane should wait for this account, or if it has `most` already. `ahead` others
   * are about to come.
   */
  isFull(accountId: string, lane: Lane, { most = Infinity, ahead = 0 } = {}): boolean {
    const { waiting, used } = this.staged.sizeUpTo(accountId, lane);
    return (waiting > 0 && waiting + ahead >= this.maxWaiting) || waiting + used + ahead >= most;
  }

  /** How long the newest staged delivery of the lane has waited. */
  waitedMs(accountId: string, lane: Lane): number {
    return this.staged.waitedMs(accountId, lane);
  }

  stage(accountId: string, request: PermitRequest): Promise<ReleasePermit> {
    return this.staged.acquire(accountId, request);
  }

  enter(accountId: string, request: PermitRequest): Promise<ReleasePermit> {
    return this.inFlight.acquire(accountId, request);
  }
}

type AccountPermits = {
  used: Record<Lane, number>;
  waitedMs: Record<Lane, number>;
  waiting: WaitingLine<() => void>;
};

class PermitPool {
  private readonly accounts = new Map<string, AccountPermits>();

  constructor(
    private readonly permits: number,
    private readonly now: () => number,
  ) {}

  /** Requests of the lane, and of those before it, that wait for a permit or have one. */
  sizeUpTo(accountId: string, lane: Lane): { waiting: number; used: number } {
    const account = this.accounts.get(accountId);
    if (!account) return { waiting: 0, used: 0 };
    return { waiting: account.waiting.lengthUpTo(lane), used: sum(account.used, lane) };
  }

  waitedMs(accountId: string, lane: Lane): number {
    return this.accounts.get(accountId)?.waitedMs[lane] ?? 0;
  }

  acquire(accountId: string, { perCall = 1, place }: PermitRequest): Promise<ReleasePermit> {
    let existing = this.accounts.get(accountId);
    if (!existing) {
      existing = { used: { 1: 0, 2: 0, 3: 0 }, waitedMs: { 1: 0, 2: 0, 3: 0 }, waiting: new WaitingLine() };
      this.accounts.set(accountId, existing);
    }
    const account = existing;
    const lane = laneAt(place);
    const use = (): ReleasePermit => {
      account.used[lane] += 1;
      return () => {
        account.used[lane] -= 1;
        this.passOn(accountId, account);
      };
    };
    if (sum(account.used) < this.permits * perCall) {
      account.waitedMs[lane] = 0;
      return Promise.resolve(use());
    }
    const since = this.now();
    const pass = (resolve: (release: ReleasePermit) => void): void => {
      account.waitedMs[lane] = this.now() - since;
      resolve(use());
    };
    return new Promise((resolve) => account.waiting.add(() => pass(resolve), place));
  }

  private passOn(accountId: string, account: AccountPermits): void {
    const next = account.waiting.take();
    if (next) next();
    else if (sum(account.used) === 0) this.accounts.delete(accountId);
  }
}

const sum = (used: AccountPermits['used'], upTo: Lane = 3): number =>
  used[1] + (upTo > 1 ? used[2] : 0) + (upTo > 2 ? used[3] : 0);
