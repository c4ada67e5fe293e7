import { Injectable } from '@nestjs/common';
import { DomainError, type EnvironmentId } from '@clarion/contracts';
import { Database } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import { addressGroup } from '../auth/wrong-keys';
import { RateLimiter, type RateVerdict } from '../http/rate-limiter';
import { TenantRates } from '../http/tenant-rates';

/** All addresses together may create this many times as much as one. */
const ADDRESSES = 10;

type Created = 'subscribers' | 'contexts';

/**
 * Limits what sessions without a valid hash create. Any page can ask for such a session under any subscriberId, so
 * without a limit it could fill the database.
 */
@Injectable()
export class InboxCreations {
  private readonly ofAddress: RateLimiter;
  private readonly ofTenant: Record<Created, TenantRates>;

  constructor(
    private readonly config: Config,
    { organizations }: Database,
  ) {
    const perSecond = config.CLARION_RATE_LIMIT_INBOX_SUBSCRIBERS;
    this.ofAddress = new RateLimiter(() => perSecond);
    const rates = () =>
      new TenantRates({ inbox: perSecond * ADDRESSES }, config, (environmentId) => organizations.of(environmentId));
    this.ofTenant = { subscribers: rates(), contexts: rates() };
  }

  /** Throws if too many were created. */
  check(what: 'subscribers', environmentId: EnvironmentId, address: string): void {
    const refusal = this.take(what, environmentId, address);
    if (!refusal) return;
    throw new DomainError(
      'too_many_requests',
      'Too many new subscribers: sign the subscriberId (subscriberHash), or create the subscriber with an API key',
      {},
      { 'Retry-After': String(refusal.resetSeconds) },
    );
  }

  mayCreate(what: 'contexts', environmentId: EnvironmentId, address: string): boolean {
    return this.take(what, environmentId, address) === undefined;
  }

  /** Returns the verdict that refuses. */
  private take(what: Created, environmentId: EnvironmentId, address: string): RateVerdict | undefined {
    if (!this.config.CLARION_RATE_LIMIT) return undefined;
    const verdicts = [
      () => this.ofAddress.take(`${what} ${environmentId} ${addressGroup(address)}`, 'inbox', 1),
      () => this.ofTenant[what].take(environmentId, 'inbox', 1),
    ];
    for (const verdictOf of verdicts) {
      const verdict = verdictOf();
      if (!verdict.allowed) return verdict;
    }
    return undefined;
  }
}
