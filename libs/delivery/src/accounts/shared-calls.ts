type Entry<T, R> = { item: T; resolve(result: R): void; reject(error: unknown): void };

/** The most messages in one call, and the most calls in flight. */
type Limits = { size: number; calls: number };

/**
 * Combines many messages to one account into one call. Messages of one group share a call when they arrive in the same
 * turn of the event loop, or while the maximum of calls is in flight.
 */
export class SharedCalls<T, R> {
  private readonly waiting = new Map<string, Entry<T, R>[]>();
  private running = 0;
  private isScheduled = false;

  constructor(
    private readonly limits: Limits,
    private readonly call: (items: T[]) => Promise<R[]>,
  ) {}

  add(group: string, item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const others = this.waiting.get(group);
      if (others) others.push(entry);
      else this.waiting.set(group, [entry]);
      if (this.isScheduled) return;
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        this.start();
      });
    });
  }

  private start(): void {
    for (const [group, entries] of this.waiting) {
      while (entries.length > 0) {
        if (this.running >= this.limits.calls) return;
        void this.run(entries.splice(0, this.limits.size));
      }
      this.waiting.delete(group);
    }
  }

  private async run(entries: Entry<T, R>[]): Promise<void> {
    this.running += 1;
    try {
      const results = await this.call(entries.map(({ item }) => item));
      for (const [index, { resolve }] of entries.entries()) resolve(results[index]!);
    } catch (error) {
      for (const { reject } of entries) reject(error);
    } finally {
      this.running -= 1;
      this.start();
    }
  }
}
