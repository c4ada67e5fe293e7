import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EnvironmentRepository, type KeyOwner } from '@clarion/persistence';
import { Batcher, hashApiKey } from '@clarion/platform';

const CACHE_MS = 15_000;
const CACHED_KEYS = 10_000;
const TOUCH_EVERY_MS = 10_000;
const GUESSES_WAIT_MS = 100;

/**
 * Finds the owner of an API key. Owners are cached for 15 seconds, so most triggers cost no lookup. A revoked key is
 * refused at once by the process that revoked it, by the others within 15 seconds. Times of last use are batched.
 */
@Injectable()
export class KeyDirectory implements OnModuleInit, OnModuleDestroy {
  private readonly cached = new Map<string, { owner: KeyOwner; until: number }>();
  private revocations = 0;
  private used = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  /** Lookups of keys that are not cached. Those that arrive while a query runs share the next query. */
  private readonly lookups: Batcher<Buffer, KeyOwner | undefined>;
  private readonly guesses: Batcher<Buffer, KeyOwner | undefined>;

  constructor(private readonly environments: EnvironmentRepository) {
    const run = (hashes: Buffer[]) => this.environments.findKeyOwners(hashes);
    this.lookups = new Batcher({ maxItems: 500, maxWaitMs: 0, concurrency: 2, run });
    this.guesses = new Batcher({ maxItems: 1_000, maxWaitMs: GUESSES_WAIT_MS, concurrency: 1, run });
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flushUses(), TOUCH_EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flushUses();
  }

  /** `isGuess`: the address has sent many wrong keys. Its lookups wait longer and share one query. */
  async find(key: string, isGuess = false): Promise<KeyOwner | undefined> {
    const hash = hashApiKey(key);
    const name = hash.toString('base64');
    const hit = this.cached.get(name);
    if (hit && hit.until > performance.now()) {
      this.used.set(hit.owner.keyId, new Date());
      return hit.owner;
    }
    const { revocations } = this;
    const owner = await (isGuess ? this.guesses : this.lookups).add(hash);
    // An unknown key is not cached, because it may be created at any time.
    if (!owner) return undefined;
    this.used.set(owner.keyId, new Date());
    // A row that was read while a key was being revoked may be out of date.
    if (revocations === this.revocations) {
      if (this.cached.size >= CACHED_KEYS) this.cached.clear();
      this.cached.set(name, { owner, until: performance.now() + CACHE_MS });
    }
    return owner;
  }

  /** Empties the cache. Called after this process has revoked a key or changed the settings of an environment. */
  forget(): void {
    this.revocations += 1;
    this.cached.clear();
  }

  async flushUses(): Promise<void> {
    if (this.used.size === 0) return;
    const uses = this.used;
    this.used = new Map();
    try {
      await this.environments.touchKeys(uses);
    } catch {
      // The time of last use is informative only, so an error here fails nothing.
    }
  }
}
