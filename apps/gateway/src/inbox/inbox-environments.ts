import { Injectable } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import { inboxSignaturesOf } from '@clarion/contracts';
import { EnvironmentRepository, type InboxEnvironment } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { KeyDirectory } from '../edge/auth/key-directory';
import { type InboxClaims, inboxUnauthorized } from '../edge/auth/inbox-tokens';
import { requiresHash } from './requires-hash';

const CACHE_MS = 15_000;
const CACHED = 10_000;

/** Settings are cached for 15 seconds, like keys; in this process a change is effective at once. */
@Injectable()
export class InboxEnvironments {
  private readonly cached = new Map<string, { environment: InboxEnvironment; until: number; version: number }>();
  private readonly lookups: Batcher<string, InboxEnvironment | undefined>;

  constructor(
    private readonly keys: KeyDirectory,
    private readonly secrets: SecretBox,
    environments: EnvironmentRepository,
  ) {
    // One query at a time: invented identifiers cost the database little, however many arrive.
    const run = (names: string[]) => environments.findForInbox(names);
    this.lookups = new Batcher({ maxItems: 500, maxWaitMs: 0, concurrency: 1, run });
  }

  /** Throws if the session has ended: with its environment, with what signed it, or when signatures are required. */
  async findForSession(claims: InboxClaims): Promise<InboxEnvironment> {
    const cached = await this.find(claims.environmentId);
    if (cached && this.accepts(cached, claims)) return cached;
    // The session may be newer than what is cached, because another gateway opened it.
    const environment = await this.read(claims.environmentId);
    if (!environment) throw inboxUnauthorized('The environment of this inbox session was deleted');
    if (this.accepts(environment, claims)) return environment;
    throw inboxUnauthorized('The inbox session has ended: open a new one with a valid subscriberHash');
  }

  async findByIdentifier(identifier: string): Promise<InboxEnvironment | undefined> {
    const environment = await this.find(identifier);
    return environment?.identifier === identifier ? environment : undefined;
  }

  private find(name: string): Promise<InboxEnvironment | undefined> {
    const hit = this.cached.get(name);
    const isFresh = hit && hit.until > performance.now() && hit.version === this.keys.version;
    return isFresh ? Promise.resolve(hit.environment) : this.read(name);
  }

  private async read(name: string): Promise<InboxEnvironment | undefined> {
    const { version } = this.keys;
    const environment = await this.lookups.add(name);
    if (environment) {
      if (this.cached.size >= CACHED) this.cached.clear();
      this.cached.set(name, { environment, until: performance.now() + CACHE_MS, version });
    }
    return environment;
  }

  /** A session of which an older release did not say whether it is signed lasts until its token ends. */
  private accepts(environment: InboxEnvironment, { signer }: InboxClaims): boolean {
    if (typeof signer === 'string') return environment.signers.includes(signer);
    const { inApp } = environment;
    const isRequired = inboxSignaturesOf(environment) === 'required' || (inApp && requiresHash(this.secrets, inApp));
    return signer === undefined || !isRequired;
  }
}
