import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import { EnvironmentRepository, type KeyOwner } from '@clarion/persistence';
import { hashApiKey } from '@clarion/platform';
import { LastUses } from './last-uses';

const CACHE_MS = 15_000;
const CACHED_KEYS = 10_000;
const GUESSES_WAIT_MS = 100;

/** Owners and times of last use are cached: other processes refuse a revoked key within 15 seconds. */
@Injectable()
export class KeyDirectory implements OnModuleInit, OnModuleDestroy {
  private readonly cached = new Map<string, { owner: KeyOwner; until: number }>();
  private readonly uses: LastUses;
  private changes = 0;

  /** Lookups of keys that are not cached. Those that arrive while a query runs share the next query. */
  private readonly lookups: Batcher<Buffer, KeyOwner | undefined>;
  private readonly guesses: Batcher<Buffer, KeyOwner | undefined>;

  constructor(private readonly environments: EnvironmentRepository) {
    const run = (hashes: Buffer[]) => this.environments.findKeyOwners(hashes);
    this.lookups = new Batcher({ maxItems: 500, maxWaitMs: 0, concurrency: 2, run });
    this.guesses = new Batcher({ maxItems: 1_000, maxWaitMs: GUESSES_WAIT_MS, concurrency: 1, run });
    this.uses = new LastUses((uses) => this.environments.touchKeys(uses));
  }

  onModuleInit(): void {
    this.uses.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.uses.stop();
  }

  /** `isGuess`: the address has sent many wrong keys. Its lookups wait longer and share one query. */
  find(key: string, isGuess = false): Promise<KeyOwner | undefined> {
    return this.findByHash(hashApiKey(key), isGuess);
  }

  async findByHash(hash: Buffer, isGuess = false): Promise<KeyOwner | undefined> {
    const name = hash.toString('base64');
    const hit = this.cached.get(name);
    if (hit && hit.until > performance.now()) {
      this.uses.add(hit.owner.keyId);
      return hit.owner;
    }
    const { changes } = this;
    const owner = await (isGuess ? this.guesses : this.lookups).add(hash);
    // An unknown key is not cached, because it may be created at any time.
    if (!owner) return undefined;
    this.uses.add(owner.keyId);
    // A row that was read while a key was being revoked may be out of date.
    if (changes === this.changes) {
      if (this.cached.size >= CACHED_KEYS) this.cached.clear();
      this.cached.set(name, { owner, until: performance.now() + CACHE_MS });
    }
    return owner;
  }

  /** The use of a session is a use of its key. */
  markUsed(keyId: string): void {
    this.uses.add(keyId);
  }

  /** Rises with each change that this process knows of: what was read before may be out of date. */
  get version(): number {
    return this.changes;
  }

  /** Called after this process has revoked a key or a session or changed the settings of an environment. */
  forget(): void {
    this.changes += 1;
    this.cached.clear();
  }

  flushUses(): Promise<void> {
    return this.uses.flush();
  }
}
