import { groupBy } from '@clarion/contracts/core';

/** Work of one environment that takes longer is slow. */
const SLOW_MS = 250;
/** Weight of the items that all slow environments together may have in work, and each of them at least. */
const SLOW_ITEMS = 600;
const SMALLEST_SHARE = 10;
/** How long an item waits that has to come back. The longest wait is short: an environment may be slow for a while. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

type Part = { isSlow: boolean };

/** An environment with items in work: since when, how many, how many were done, and when the next may come back. */
type Busy = { since: number; parts: Set<Part>; items: number; done: number; nextAt: number };

/**
 * Runs the work of each environment apart from that of the others. Work that is slow, such as rendering heavy
 * templates, goes on in the background: neither the rest of the batch nor the next batch waits for it. How much of it
 * goes on is limited, because it takes capacity that the other environments need.
 */
export class Apart {
  private readonly busy = new Map<string, Busy>();
  private readonly onIdle: (() => void)[] = [];

  constructor(
    private readonly pause: (milliseconds: number) => Promise<unknown>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * `weightOf` is 1, or more for items that take more memory than most.
   *
   * Resolves when the work for all items is done, except that of slow environments. `work` must not reject. It gets the
   * items of one environment, and in how many milliseconds they should come back, because the environment is slow and
   * has its share of items in work; 0 if they may run now.
   */
  async run<T>(
    items: T[],
    environmentOf: (item: T) => string,
    weightOf: (item: T) => number,
    work: (own: T[], comeBackMs: number) => Promise<void>,
  ): Promise<void> {
    const parts: Part[] = [];
    const all = [...groupBy(items, environmentOf)].map(async ([environmentId, own]) => {
      const weight = own.reduce((sum, item) => sum + weightOf(item), 0);
      const comeBackMs = this.comeBackMs(environmentId, weight);
      if (comeBackMs > 0) return work(own, comeBackMs);
      const part: Part = { isSlow: false };
      parts.push(part);
      const busy = this.begin(environmentId, part, weight);
      await work(own, 0);
      this.end(environmentId, busy, part, weight);
    });
    await Promise.race([Promise.all(all), this.pause(SLOW_MS)]);
    for (const part of parts) part.isSlow = true;
  }

  async settled(): Promise<void> {
    while (this.busy.size > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  /** Items come back as fast as items are done. */
  private comeBackMs(environmentId: string, items: number): number {
    const busy = this.busy.get(environmentId);
    if (!busy || !isSlow(busy)) return 0;
    const slow = [...this.busy.values()].filter(isSlow).length;
    if (busy.items < Math.max(SLOW_ITEMS / slow, SMALLEST_SHARE)) return 0;
    const now = this.now();
    const msPerItem = (now - busy.since) / Math.max(busy.done, 1);
    busy.nextAt = Math.min(Math.max(busy.nextAt, now + SHORTEST_WAIT_MS) + items * msPerItem, now + LONGEST_WAIT_MS);
    return busy.nextAt - now;
  }

  private begin(environmentId: string, part: Part, items: number): Busy {
    const since = this.now();
    const busy = this.busy.get(environmentId) ?? { since, parts: new Set(), items: 0, done: 0, nextAt: since };
    this.busy.set(environmentId, busy);
    busy.parts.add(part);
    busy.items += items;
    return busy;
  }

  private end(environmentId: string, busy: Busy, part: Part, items: number): void {
    busy.parts.delete(part);
    busy.items -= items;
    busy.done += items;
    if (busy.parts.size === 0) this.busy.delete(environmentId);
    if (this.busy.size === 0) for (const resolve of this.onIdle.splice(0)) resolve();
  }
}

const isSlow = ({ parts }: Busy): boolean => [...parts].some((part) => part.isSlow);
