/**
 * A cache with a limit in bytes, least recently used first out. An environment uses at most a quarter of it, so the
 * templates of one environment do not displace those of all the others.
 */
const ENVIRONMENT_SHARE = 0.25;

type Entry<T> = { value: T; bytes: number };
type Part<T> = { entries: Map<string, Entry<T>>; bytes: number };

export class EnvironmentCache<T> {
  /** By environment and by key, the most recently used last. */
  private readonly parts = new Map<string, Part<T>>();
  private bytes = 0;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.bytes;
  }

  get(environmentId: string, key: string): T | undefined {
    const part = this.parts.get(environmentId);
    const entry = part?.entries.get(key);
    if (!part || !entry) return undefined;
    this.parts.delete(environmentId);
    this.parts.set(environmentId, part);
    part.entries.delete(key);
    part.entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value or replaces it. A value that exceeds the share of an environment is not kept. */
  set(environmentId: string, key: string, value: T, bytes: number): void {
    this.remove(environmentId, key);
    const share = this.limit * ENVIRONMENT_SHARE;
    if (bytes > share) return;
    const part = this.parts.get(environmentId) ?? { entries: new Map<string, Entry<T>>(), bytes: 0 };
    this.parts.delete(environmentId);
    this.parts.set(environmentId, part);
    part.entries.set(key, { value, bytes });
    part.bytes += bytes;
    this.bytes += bytes;
    while (part.bytes > share) this.removeOldest(environmentId, part);
    while (this.bytes > this.limit) this.removeOldest(...this.parts.entries().next().value!);
  }

  private removeOldest(environmentId: string, { entries }: Part<T>): void {
    this.remove(environmentId, entries.keys().next().value!);
  }

  private remove(environmentId: string, key: string): void {
    const part = this.parts.get(environmentId);
    const entry = part?.entries.get(key);
    if (!part || !entry) return;
    part.entries.delete(key);
    part.bytes -= entry.bytes;
    this.bytes -= entry.bytes;
    if (part.entries.size === 0) this.parts.delete(environmentId);
  }
}
