import { AsyncResource } from 'node:async_hooks';
import { WaitingLine } from './line';

export type BatcherOptions<T, R> = {
  maxItems: number;
  /** What an item weighs, and the most of a batch; a heavier item is a batch alone. */
  weight?: { of(item: T): number; most: number };
  /** How long the first item of a batch waits for more items; 0 means until the next turn of the event loop. */
  maxWaitMs: number | (() => number);
  /** Returns one result per item, in order. A batch that overtakes others goes before all that run. */
  run: (items: T[], overtakes: boolean) => Promise<R[]>;
  /** How many batches may run in parallel. */
  concurrency: number;
};

type Entry<T, R> = {
  item: T;
  weight: number;
  place: number;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
};

/**
 * Combines many calls into one: items that arrive while earlier batches run, or within a short wait, share the next
 * batch. Many small jobs cost as little as a large one, and a single item costs no more than the wait. When a batch
 * fails, only its items fail. The items of a batch have one place (`placeOf`); those with a lower one go first.
 */
export class Batcher<T, R> {
  private readonly waiting = new WaitingLine<Entry<T, R>>();
  private readonly running = new Map<Promise<void>, number>();
  private cancelTimer: (() => void) | undefined;
  /** A batch runs outside of the transactions and requests of the callers that added items. */
  private readonly ownContext = new AsyncResource('Batcher');

  constructor(private readonly options: BatcherOptions<T, R>) {}

  add(item: T, place = 0): Promise<R> {
    const weight = this.options.weight?.of(item) ?? 0;
    const result = new Promise<R>((resolve, reject) =>
      this.waiting.add({ item, weight, place, resolve, reject }, place),
    );
    this.schedule();
    return result;
  }

  addMany(items: T[], place = 0): Promise<R[]> {
    return Promise.all(items.map((item) => this.add(item, place)));
  }

  /** Runs waiting items at once; resolves when nothing is left, even if batches failed. */
  async drain(): Promise<void> {
    for (;;) {
      this.startBatches();
      if (this.running.size === 0) return;
      await Promise.race(this.running.keys());
    }
  }

  private schedule(): void {
    // A batch that ends starts the next one.
    if (!this.mayStart) return;
    if (this.isFree && this.waiting.length >= this.options.maxItems) this.startBatches();
    else this.cancelTimer ??= this.later(() => this.startBatches());
  }

  private later(start: () => void): () => void {
    const { maxWaitMs } = this.options;
    const wait = typeof maxWaitMs === 'function' ? maxWaitMs() : maxWaitMs;
    if (wait === 0) {
      const immediate = setImmediate(start);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(start, wait);
    return () => clearTimeout(timer);
  }

  private get isFree(): boolean {
    return this.running.size < this.options.concurrency;
  }

  /** What goes before everything that runs does not wait for it: one batch more than the maximum runs. */
  private get mayStart(): boolean {
    return (
      this.isFree || (this.running.size === this.options.concurrency && this.overtakes(this.waiting.first ?? Infinity))
    );
  }

  private overtakes(place: number): boolean {
    return this.running.size > 0 && [...this.running.values()].every((other) => place < other);
  }

  /** Starts batches until nothing waits or the maximum number is running. */
  private startBatches(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    while (this.waiting.length > 0 && this.mayStart) {
      const count = (entries: readonly Entry<T, R>[]): number => this.fitting(entries);
      const batch = this.isFree ? this.waiting.takeMany(count) : this.waiting.takeFirst(count);
      const { place } = batch[0]!;
      const overtakes = this.overtakes(place);
      const ended: Promise<void> = this.ownContext
        .runInAsyncScope(() => this.runBatch(batch, overtakes))
        .finally(() => {
          this.running.delete(ended);
          this.startBatches();
        });
      this.running.set(ended, place);
    }
  }

  /** How many of the first ones are a batch. */
  private fitting(entries: readonly Entry<T, R>[]): number {
    const { maxItems, weight: { most } = { most: Infinity } } = this.options;
    let count = 0;
    for (let weight = 0; count < Math.min(entries.length, maxItems); count += 1) {
      weight += entries[count]!.weight;
      if (weight > most && count > 0) break;
    }
    return count;
  }

  /** Never rejects: errors are passed to the callers. */
  private async runBatch(batch: Entry<T, R>[], overtakes: boolean): Promise<void> {
    try {
      const results = await this.options.run(
        batch.map(({ item }) => item),
        overtakes,
      );
      if (results.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} items gave ${results.length} results`);
      }
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
