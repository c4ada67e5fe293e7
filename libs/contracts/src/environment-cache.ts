import { TENANT_LIMITS, type TenantShare } from './tenant-shares';

type Entry<T> = { value: T; bytes: number };
type Part<T> = { organization: string; entries: Map<string, Entry<T>>; bytes: number };

/** Least recently used first out. One tenant uses a part at most and does not displace all the others. */
export class EnvironmentCache<T> {
  /** By environment and by key, the most recently used last. */
  private readonly parts = new Map<string, Part<T>>();
  private readonly bytesOf = new Map<string, number>();
  private readonly share: TenantShare;
  private bytes = 0;

  constructor(
    limit: number,
    private readonly organizationOf: (environmentId: string) => string = (environmentId) => environmentId,
  ) {
    this.share = TENANT_LIMITS.cachedBytes(limit);
  }

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
    if (bytes > this.share.environment) return;
    const part = this.parts.get(environmentId) ?? {
      organization: this.organizationOf(environmentId),
      entries: new Map<string, Entry<T>>(),
      bytes: 0,
    };
    this.parts.delete(environmentId);
    this.parts.set(environmentId, part);
    part.entries.set(key, { value, bytes });
    this.count(part, bytes);
    while (part.bytes > this.share.environment) this.removeOldest(environmentId, part);
    while (this.bytesOf.get(part.organization)! > this.share.organization) {
      this.removeOldest(...[...this.parts].find(([, { organization }]) => organization === part.organization)!);
    }
    while (this.bytes > this.share.gateway) this.removeOldest(...this.parts.entries().next().value!);
  }

  private count(part: Part<T>, bytes: number): void {
    part.bytes += bytes;
    this.bytes += bytes;
    const left = (this.bytesOf.get(part.organization) ?? 0) + bytes;
    if (left > 0) this.bytesOf.set(part.organization, left);
    else this.bytesOf.delete(part.organization);
  }

  private removeOldest(environmentId: string, { entries }: Part<T>): void {
    this.remove(environmentId, entries.keys().next().value!);
  }

  remove(environmentId: string, key: string): void {
    const part = this.parts.get(environmentId);
    const entry = part?.entries.get(key);
    if (!part || !entry) return;
    part.entries.delete(key);
    this.count(part, -entry.bytes);
    if (part.entries.size === 0) this.parts.delete(environmentId);
  }
}
