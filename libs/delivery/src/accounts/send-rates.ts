import { Batcher, WaitingLine } from '@clarion/claims';
import { type RateRequest, untilAvailable } from '@clarion/persistence';

/**
 * The time that one reservation covers. Short, because what is left of it after a pause of the process is called at
 * once; a reservation is a statement, so the statements a second are bounded by it too, for all workers together.
 */
const RESERVED_SECONDS = 0.05;
const REQUESTS_PER_STATEMENT = 100;

/** Reserves the next calls of accounts for this process. Returns in how many milliseconds each reservation begins. */
export interface RateStore {
  reserve(requests: RateRequest[]): Promise<number[]>;
}

type AccountLine = { perSecond: number; waiting: WaitingLine<{ resolve(): void; reject(error: unknown): void }> };

export type SendRatesParts = {
  store: RateStore;
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
};

/**
 * Keeps the messages of an account within its limit of messages a second, across all workers. A worker reserves the
 * next part of the time of the account in the database and calls the provider at even intervals within it: reservations
 * do not overlap, so the calls of all workers add up to the limit in every second. A worker reserves as many calls as
 * it has messages, and only a short time, so workers take turns. A worker that ends loses only what it had reserved.
 */
export class SendRates {
  private readonly lines = new Map<string, AccountLine>();
  private readonly reservations = new Batcher<RateRequest, number>({
    maxItems: REQUESTS_PER_STATEMENT,
    maxWaitMs: 0,
    concurrency: 1,
    run: (requests) => untilAvailable(() => this.parts.store.reserve(requests), this.parts),
  });

  constructor(private readonly parts: SendRatesParts) {}

  /** Resolves when it may be called, in the order of the places. A new limit applies to the next reservation. */
  enter(accountId: string, perSecond: number, place: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const known = this.lines.get(accountId);
      const line = known ?? { perSecond, waiting: new WaitingLine() };
      line.perSecond = perSecond;
      line.waiting.add({ resolve, reject }, place);
      if (known) return;
      this.lines.set(accountId, line);
      void this.serve(accountId, line);
    });
  }

  private async serve(accountId: string, line: AccountLine): Promise<void> {
    try {
      while (line.waiting.length > 0) {
        const { perSecond } = line;
        const count = Math.min(line.waiting.length, Math.max(1, Math.floor(perSecond * RESERVED_SECONDS)));
        const startsInMs = await this.reservations.add({ integrationId: accountId, count, perSecond });
        const start = this.parts.now() + startsInMs;
        for (let given = 0; given < count; given += 1) {
          const waitMs = start + (given * 1_000) / perSecond - this.parts.now();
          if (waitMs > 0) await this.parts.pause(waitMs);
          line.waiting.take()!.resolve();
        }
      }
      this.lines.delete(accountId);
    } catch (error) {
      this.lines.delete(accountId);
      for (let next = line.waiting.take(); next; next = line.waiting.take()) next.reject(error);
    }
  }
}
