import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '@clarion/contracts';
import { EnvironmentRepository, type InboxEnvironment } from '@clarion/persistence';
import { Batcher } from '@clarion/platform';
import { KeyDirectory } from '../auth/key-directory';

const CACHE_MS = 15_000;
const CACHED = 10_000;

/**
 * Finds the settings of the environments that inboxes belong to. They are cached for 15 seconds, like keys: a change of
 * `allowedOrigins` is effective at once in the process that stored it, in the others within 15 seconds.
 */
@Injectable()
export class InboxEnvironments {
  private readonly cached = new Map<string, { environment: InboxEnvironment; until: number; version: number }>();
  private readonly lookups: Batcher<string, InboxEnvironment | undefined>;

  constructor(
    private readonly keys: KeyDirectory,
    environments: EnvironmentRepository,
  ) {
    // One query at a time: invented identifiers cost the database little, however many arrive.
    const run = (names: string[]) => environments.findForInbox(names);
    this.lookups = new Batcher({ maxItems: 500, maxWaitMs: 0, concurrency: 1, run });
  }

  findById(environmentId: EnvironmentId): Promise<InboxEnvironment | undefined> {
    return this.find(environmentId);
  }

  async findByIdentifier(identifier: string): Promise<InboxEnvironment | undefined> {
    const environment = await this.find(identifier);
    return environment?.identifier === identifier ? environment : undefined;
  }

  private async find(name: string): Promise<InboxEnvironment | undefined> {
    const { version } = this.keys;
    const hit = this.cached.get(name);
    if (hit && hit.until > performance.now() && hit.version === version) return hit.environment;
    const environment = await this.lookups.add(name);
    if (environment) {
      if (this.cached.size >= CACHED) this.cached.clear();
      this.cached.set(name, { environment, until: performance.now() + CACHE_MS, version });
    }
    return environment;
  }
}
