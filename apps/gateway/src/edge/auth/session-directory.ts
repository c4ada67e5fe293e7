import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import type { EnvironmentId } from '@clarion/contracts';
import { type SessionLookup, type SessionOwner, SessionRepository } from '@clarion/persistence';
import { sha256 } from '@clarion/platform';
import { KeyDirectory } from './key-directory';
import { LastUses } from './last-uses';

const CACHE_MS = 15_000;
const CACHED_SESSIONS = 10_000;

/** Cached for 15 seconds, like keys: this process refuses a revoked session at once, the others after that. */
@Injectable()
export class SessionDirectory implements OnModuleInit, OnModuleDestroy {
  private readonly cached = new Map<string, { session: SessionOwner; until: number; version: number }>();
  private readonly lookups: Batcher<SessionLookup, SessionOwner | undefined>;
  private readonly uses: LastUses;

  constructor(
    private readonly keys: KeyDirectory,
    sessions: SessionRepository,
  ) {
    // One query at a time: invented secrets cost the database little, however many arrive.
    const run = (lookups: SessionLookup[]) => sessions.findOwners(lookups);
    this.lookups = new Batcher({ maxItems: 500, maxWaitMs: 0, concurrency: 1, run });
    this.uses = new LastUses((uses) => sessions.touch(uses));
  }

  onModuleInit(): void {
    this.uses.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.uses.stop();
  }

  /** `environmentId`: the environment that the request wants to act in; by default the one of the key. */
  async find(secret: string, environmentId: EnvironmentId | undefined): Promise<SessionOwner | undefined> {
    const session = await this.lookUp(sha256(secret), environmentId);
    // A session may expire while it is cached.
    if (!session || session.expiresAt.getTime() <= Date.now()) return undefined;
    this.uses.add(session.id);
    if (session.owner) this.keys.markUsed(session.owner.keyId);
    return session;
  }

  private async lookUp(hash: Buffer, environmentId: EnvironmentId | undefined): Promise<SessionOwner | undefined> {
    const { version } = this.keys;
    const name = `${hash.toString('base64')} ${environmentId ?? ''}`;
    const hit = this.cached.get(name);
    if (hit && hit.until > performance.now() && hit.version === version) return hit.session;
    const found = await this.lookups.add({ hash, environmentId });
    const session = found?.owner ? { ...found, owner: { ...found.owner, isBrowser: true as const } } : found;
    if (session?.owner) {
      if (this.cached.size >= CACHED_SESSIONS) this.cached.clear();
      this.cached.set(name, { session, until: performance.now() + CACHE_MS, version });
    }
    return session;
  }
}
