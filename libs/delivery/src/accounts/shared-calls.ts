import { WaitingLine } from '@clarion/claims';

type Entry<T, R> = { item: T; resolve(result: R): void; reject(error: unknown): void };

type Limits = { size: number; calls: number };

/**
 * Combines many messages to one account into one call. Messages of one group share a call when they arrive in the same
 * turn of the event loop, or while the maximum of calls is in flight; those with a lower place (`placeOf`) go first.
 */
export class SharedCalls<T, R> {
  private readonly waiting = new Map<string, WaitingLine<Entry<T, R>>>();
  private running = 0;
  private isScheduled = false;

  constructor(
    private readonly limits: Limits,
    private readonly call: (items: T[]) => Promise<R[]>,
  ) {}

  add(group: string, item: T, place = 0): Promise<R> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(group) ?? new WaitingLine();
      this.waiting.set(group, line);
      line.add({ item, resolve, reject }, place);
      if (this.isScheduled) return;
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        this.start();
      });
    });
  }

  private start(): void {
    while (this.running < this.limits.calls && this.waiting.size > 0) {
      const [group, line] = [...this.waiting].reduce((first, other) =>
        other[1].first! < first[1].first! ? other : first,
      );
      const entries: Entry<T, R>[] = [];
      // A call takes no longer with more messages, so it is filled from several places.
      while (entries.length < this.limits.size && line.length > 0) {
        entries.push(...line.takeMany(this.limits.size - entries.length));
      }
      if (line.length === 0) this.waiting.delete(group);
      void this.run(entries);
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
