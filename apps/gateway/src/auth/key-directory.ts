import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EnvironmentRepository, type KeyOwner } from '@clarion/persistence';
import { Batcher, hashApiKey } from '@clarion/platform';

const REMEMBER_MS = 15_000;
const REMEMBERED_KEYS = 10_000;
const TOUCH_EVERY_MS = 10_000;
const GUESSES_WAIT_MS = 100;

/**
 * Turns a key into its owner. Answers are remembered for a short while, so a trigger costs no lookup and a revoked key is
 * refused everywhere within seconds (at once in the process that revoked it). Uses are noted in memory and written together.
 */
@Injectable()
export class KeyDirectory implements OnModuleInit, OnModuleDestroy {
  private readonly known = new Map<string, { owner: KeyOwner; until: number }>();
  private revocations = 0;
  private used = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  /** Keys that are not remembered: those that arrive while a query runs share the next one. */
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

  /** `isGuess`: from an address that has sent many wrong keys. Such keys wait for one another and share a query. */
  async find(key: string, isGuess = false): Promise<KeyOwner | undefined> {
    const hash = hashApiKey(key);
    const name = hash.toString('base64');
    const remembered = this.known.get(name);
    if (remembered && remembered.until > performance.now()) {
      this.used.set(remembered.owner.keyId, new Date());
      return remembered.owner;
    }
    const { revocations } = this;
    const owner = await (isGuess ? this.guesses : this.lookups).add(hash);
    // An unknown key is not remembered: it may be created the next moment.
    if (!owner) return undefined;
    this.used.set(owner.keyId, new Date());
    // What was read while a key was revoked may be the state before it.
    if (revocations === this.revocations) {
      if (this.known.size >= REMEMBERED_KEYS) this.known.clear();
      this.known.set(name, { owner, until: performance.now() + REMEMBER_MS });
    }
    return owner;
  }

  /** After a revocation in this process. */
  forget(): void {
    this.revocations += 1;
    this.known.clear();
  }

  async flushUses(): Promise<void> {
    if (this.used.size === 0) return;
    const uses = this.used;
    this.used = new Map();
    try {
      await this.environments.touchKeys(uses);
    } catch {
      // The time of last use is a convenience; it is not worth failing anything for.
    }
  }
}
