import { AsyncResource } from 'node:async_hooks';

export type BatcherOptions<T, R> = {
  /** A batch never holds more. */
  maxItems: number;
  /** How long the first item of a batch waits for company, now; 0 is the next turn of the event loop. */
  maxWaitMs: number | (() => number);
  /** Gives one result for each item, in their order. */
  run: (items: T[]) => Promise<R[]>;
  /** How many batches may run side by side. */
  concurrency: number;
};

type Entry<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Makes one call out of many: what arrives while earlier batches run, or within a short wait, shares the next batch. So
 * many small jobs cost as little as one large one, and a lone item costs no more than the wait. A batch that fails fails
 * for its own items alone.
 */
export class Batcher<T, R> {
  private waiting: Entry<T, R>[] = [];
  private readonly running = new Set<Promise<void>>();
  private cancelTimer: (() => void) | undefined;
  /** A batch belongs to nobody who added to it: it runs outside of their transaction and their request. */
  private readonly ownContext = new AsyncResource('Batcher');

  constructor(private readonly options: BatcherOptions<T, R>) {}

  add(item: T): Promise<R> {
    const result = new Promise<R>((resolve, reject) => this.waiting.push({ item, resolve, reject }));
    this.schedule();
    return result;
  }

  addMany(items: T[]): Promise<R[]> {
    return Promise.all(items.map((item) => this.add(item)));
  }

  /** Runs what waits without waiting for company; resolves when nothing is left, whatever became of it. */
  async drain(): Promise<void> {
    for (;;) {
      this.startBatches();
      if (this.running.size === 0) return;
      await Promise.race(this.running);
    }
  }

  private schedule(): void {
    // While every place is taken there is nothing to wait for: a batch that ends takes all that has gathered.
    if (this.running.size >= this.options.concurrency) return;
    if (this.waiting.length >= this.options.maxItems) this.startBatches();
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

  /** Afterwards nothing waits, or every place is taken. */
  private startBatches(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    while (this.waiting.length > 0 && this.running.size < this.options.concurrency) {
      const batch = this.waiting.splice(0, this.options.maxItems);
      const ended: Promise<void> = this.ownContext
        .runInAsyncScope(() => this.runBatch(batch))
        .finally(() => {
          this.running.delete(ended);
          this.startBatches();
        });
      this.running.add(ended);
    }
  }

  /** Never rejects: whatever goes wrong is told to those who wait for it. */
  private async runBatch(batch: Entry<T, R>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} items gave ${results.length} results`);
      }
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
