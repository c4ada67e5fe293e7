import { hash } from 'node:crypto';
import { type EnvironmentId, TENANT_LIMITS, TenantCounts, type TenantLevel } from '@clarion/contracts/core';

/** A text that exceeded its limits this often in a row is rejected for a while. */
const STRIKES = 3;
const REFUSE_MS = 5_000;
/** After this time a strike does not count any more. The budget of render time may delay the next one. */
const FORGET_MS = 60_000;

type Struck = { environmentId: string; organization: string; strikes: number; at: number; giveBack: () => void };

/** Hashes of the texts because of which jobs were terminated: a limited number for each tenant, for a while. */
export class StruckTexts {
  /** By environment and hash, the last strike last. */
  private readonly struck = new Map<string, Struck>();
  private readonly counts: TenantCounts;
  /** Hashes of this turn of the event loop: the jobs of a batch often have the same texts. */
  private readonly hashes = new Map<string, string>();

  constructor(
    private readonly organizationOf: (environmentId: string) => string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.counts = new TenantCounts(() => TENANT_LIMITS.struckTexts(), organizationOf);
  }

  get size(): number {
    return this.struck.size;
  }

  strike(environmentId: string, text: string): void {
    const key = this.keyOf(environmentId, text);
    this.forget();
    const strikes = (this.struck.get(key)?.strikes ?? 0) + 1;
    this.drop(key);
    this.makeRoom(environmentId);
    this.struck.set(key, {
      environmentId,
      organization: this.organizationOf(environmentId),
      strikes,
      at: this.now(),
      giveBack: this.counts.take(environmentId as EnvironmentId),
    });
  }

  clear(environmentId: string, text: string): void {
    if (this.has(environmentId)) this.drop(this.keyOf(environmentId, text));
  }

  isRefused(environmentId: string, text: string): boolean {
    if (!this.has(environmentId)) return false;
    const { strikes = 0, at = 0 } = this.struck.get(this.keyOf(environmentId, text)) ?? {};
    return strikes >= STRIKES && this.now() < at + REFUSE_MS;
  }

  /** Most environments have none, and their texts need no hash. */
  private has(environmentId: string): boolean {
    if (this.struck.size > 0) this.forget();
    return this.counts.usedBy(environmentId as EnvironmentId, 'environment') > 0;
  }

  private forget(): void {
    for (const [key, { at }] of this.struck) {
      if (this.now() < at + FORGET_MS) return;
      this.drop(key);
    }
  }

  private makeRoom(environmentId: string): void {
    const organization = this.organizationOf(environmentId);
    const isOf: Record<TenantLevel, (struck: Struck) => boolean> = {
      environment: (struck) => struck.environmentId === environmentId,
      organization: (struck) => struck.organization === organization,
      gateway: () => true,
    };
    for (const [key, struck] of this.struck) {
      const full = this.counts.fullLevel(environmentId as EnvironmentId);
      if (!full) return;
      if (isOf[full](struck)) this.drop(key);
    }
  }

  private drop(key: string): void {
    this.struck.get(key)?.giveBack();
    this.struck.delete(key);
  }

  private keyOf(environmentId: string, text: string): string {
    let hashed = this.hashes.get(text);
    if (hashed === undefined) {
      if (this.hashes.size === 0) setImmediate(() => this.hashes.clear());
      hashed = hash('sha256', text, 'base64');
      this.hashes.set(text, hashed);
    }
    return `${environmentId} ${hashed}`;
  }
}
