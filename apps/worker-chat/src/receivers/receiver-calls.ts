import { setTimeout as delay } from 'node:timers/promises';
import { type EnvironmentId, newId, withTimeoutOr } from '@clarion/contracts/core';
import type { DeliveryLog } from '@clarion/delivery';
import { FaultLog } from '@clarion/platform';

const IDLE_MS = 1_000;
/** Receivers that one process serves at a time, and calls to one receiver in flight. */
const RECEIVERS_AT_ONCE = 32;
const CALLS_AT_ONCE = 20;
/** No call of a round begins after this time. */
const ROUND_MS = 5_000;
/** Longer than a round and any call: a lease ends only if its process does, or the database was away. */
const LEASE_MS = 30_000;
/** Then another receiver gets its turn. */
const TURN_MS = 10_000;

/** So many failures in a row open the circuit breaker: then single calls test the receiver, less and less often. */
const FAILURES_UNTIL_OPEN = 5;
const SHORTEST_OPEN_MS = 30_000;
const LONGEST_OPEN_MS = 600_000;
const DISABLE_AFTER_DAYS = 5;

/** A URL of a tenant that gets calls: a webhook endpoint, or the other system of a mirror. */
export type Receiver = { id: string; environmentId: EnvironmentId; failures: number };

export type ReceiverCall = {
  hasSucceeded: boolean;
  /** The receiver was not called, so the result says nothing about it. */
  isSkipped?: boolean;
  error?: string;
  /** The receiver wants no more calls at all. */
  isGone?: boolean;
  /** The receiver wants no calls for this time. */
  pauseMs?: number;
};

/** What a receiver is after a round of calls. */
export type ReceiverHealth = { hasSucceeded: boolean; failures: number; pauseMs?: number };

/** One kind of receivers. All progress is in Postgres, and every write names the lease that `claim` has given. */
export type ReceiverStore<T extends Receiver, Item, Call extends ReceiverCall> = {
  /** Whether a receiver has something to get. */
  look(): Promise<boolean>;
  claim(leaseId: string, leaseMs: number, limit: number): Promise<T[]>;
  /** Renews the lease; undefined when the receiver must not be called. `hasMore`: more may be due than before. */
  fill(receiver: T, leaseMs: number): Promise<{ receiver: T; hasMore: boolean } | undefined>;
  /** The most items of a round: they are read and recorded together. */
  readonly roundSize: number;
  due(receiver: T, limit: number): Promise<Item[]>;
  call(receiver: T, item: Item): Promise<Call>;
  /** Whether the receiver has failed for so many days; undefined when another process has its lease. */
  record(receiver: T, calls: Call[], health: ReceiverHealth, failingDays: number): Promise<boolean | undefined>;
  disable(receiver: T, reason: string): Promise<void>;
  release(receiver: T): Promise<void>;
};

export type ReceiverTexts = {
  /** For the log: nothing can be sent, it is sent again, a receiver was switched off. */
  failed: string;
  works: string;
  disabled: string;
};

/**
 * Calls the receivers of tenants. Any number of workers share them, and another worker goes on when one ends. One
 * worker at a time serves a receiver, so a receiver that does not answer holds a few calls of one worker, and then
 * nothing but single calls.
 */
export class ReceiverCalls<T extends Receiver, Item, Call extends ReceiverCall> {
  private readonly serving = new Map<string, Promise<void>>();
  private readonly faults = new FaultLog(this.log);
  private loop: Promise<void> = Promise.resolve();
  private readonly ending = new AbortController();

  constructor(
    private readonly store: ReceiverStore<T, Item, Call>,
    private readonly texts: ReceiverTexts,
    private readonly log: DeliveryLog,
    private readonly random: () => number,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Calls in flight end first, up to the deadline; what they have not recorded is sent again. */
  async stop(deadlineMs: number): Promise<void> {
    this.ending.abort();
    await this.loop;
    await withTimeoutOr(Promise.all(this.serving.values()), deadlineMs, undefined);
  }

  private get isEnding(): boolean {
    return this.ending.signal.aborted;
  }

  private async run(): Promise<void> {
    const failed = `${this.texts.failed} The worker tries again every ${IDLE_MS} ms.`;
    while (!this.isEnding) {
      await this.lookAround(failed).then(
        () => this.faults.over(failed, this.texts.works),
        (error: unknown) => this.faults.report(failed, error),
      );
      await delay(IDLE_MS, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
    }
  }

  private async lookAround(failed: string): Promise<void> {
    const hasDue = await this.store.look();
    const free = RECEIVERS_AT_ONCE - this.serving.size;
    if (!hasDue || free === 0) return;
    for (const receiver of await this.store.claim(newId(), LEASE_MS, free)) {
      const served = this.serve(receiver)
        .catch((error: unknown) => this.faults.report(failed, error))
        .finally(() => this.serving.delete(receiver.id));
      this.serving.set(receiver.id, served);
    }
  }

  /** Calls the receiver in rounds until nothing is due, its turn is over, or it must not be called. */
  private async serve(leased: T): Promise<void> {
    const { store } = this;
    const end = performance.now() + TURN_MS;
    while (!this.isEnding && performance.now() < end) {
      const filled = await store.fill(leased, LEASE_MS);
      if (!filled) break;
      const { receiver, hasMore } = filled;
      const isOpen = receiver.failures >= FAILURES_UNTIL_OPEN;
      const due = await store.due(receiver, isOpen ? 1 : store.roundSize);
      if (due.length === 0 && !hasMore) break;
      if (due.length === 0) continue;
      const calls = await this.callInTurn(receiver, due);
      if (!(await this.record(receiver, calls))) break;
    }
    await store.release(leased);
  }

  /**
   * The results of the calls that were made. The rest stays due: after so many failures in a row that the circuit
   * breaker opens, when the receiver wants no more calls, and at the end of the round.
   */
  private async callInTurn(receiver: T, due: Item[]): Promise<Call[]> {
    const made: Call[] = [];
    const left = due.values();
    const end = performance.now() + ROUND_MS;
    let failures = 0;
    let isOver = false;
    const call = async (): Promise<void> => {
      for (let next = left.next(); !next.done; next = left.next()) {
        const result = await this.store.call(receiver, next.value);
        made.push(result);
        if (!result.isSkipped) failures = result.hasSucceeded ? 0 : failures + 1;
        isOver ||= failures >= FAILURES_UNTIL_OPEN || result.isGone === true || result.pauseMs !== undefined;
        if (isOver || this.isEnding || performance.now() >= end) return;
      }
    };
    await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, due.length) }, call));
    return made;
  }

  /** True when the receiver may be called again now. */
  private async record(receiver: T, calls: Call[]): Promise<boolean> {
    const made = calls.filter((call) => !call.isSkipped);
    const isUnknown = made.length === 0;
    const hasSucceeded = isUnknown ? receiver.failures === 0 : made.some((call) => call.hasSucceeded);
    const failures = hasSucceeded ? 0 : receiver.failures + made.length;
    const openings = Math.min(failures - FAILURES_UNTIL_OPEN, 10);
    const openMs =
      openings < 0 || isUnknown
        ? 0
        : Math.min(SHORTEST_OPEN_MS * 2 ** openings, LONGEST_OPEN_MS) * (0.8 + 0.4 * this.random());
    const pauseMs = Math.max(openMs, ...calls.map((call) => call.pauseMs ?? 0));
    const health = { hasSucceeded, failures, ...(pauseMs > 0 && { pauseMs }) };
    const isFailing = await this.store.record(receiver, calls, health, DISABLE_AFTER_DAYS);
    if (isFailing === undefined) return false;
    const isGone = calls.some((call) => call.isGone);
    const reason = isGone
      ? 'The endpoint answered 410 Gone'
      : isFailing && !isUnknown
        ? `No call succeeded for ${DISABLE_AFTER_DAYS} days: ${made.at(-1)!.error}`
        : undefined;
    if (reason !== undefined) {
      await this.store.disable(receiver, reason);
      const { environmentId, id } = receiver;
      this.log.warn({ environmentId, endpointId: id, reason }, this.texts.disabled);
    }
    return reason === undefined && pauseMs === 0;
  }
}
