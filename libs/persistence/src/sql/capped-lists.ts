export type CountedList = { name: string; where: string[]; parameters: unknown[] };

/** Counting 50,001 rows for each page is slow. Counts over the cap are cached, exact ones are not. */
class CappedLists {
  private static readonly MEMORY_MS = 30_000;
  private static readonly SIZE = 1_000;
  private readonly until = new Map<string, number>();

  get(list: CountedList): boolean {
    const key = this.key(list);
    const until = this.until.get(key);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.until.delete(key);
    return false;
  }

  remember(list: CountedList): void {
    if (this.until.size >= CappedLists.SIZE) this.until.clear();
    this.until.set(this.key(list), performance.now() + CappedLists.MEMORY_MS);
  }

  private key(list: CountedList): string {
    return JSON.stringify([list.name, list.where, list.parameters]);
  }
}

export const cappedLists = new CappedLists();
