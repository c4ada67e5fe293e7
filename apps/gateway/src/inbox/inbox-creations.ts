import { Injectable } from '@nestjs/common';
import { type EnvironmentId, retryLater } from '@clarion/contracts';
import { Database } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import { addressGroup } from '../edge/auth/wrong-keys';
import { RateLimiter } from '../edge/http/rate-limiter';
import { TenantRates } from '../edge/http/tenant-rates';

/** All addresses together may create this many times as much as one. */
const ADDRESSES = 10;

/** Any page can ask for an unsigned session under any subscriberId, and could fill the database. */
@Injectable()
export class InboxCreations {
  private readonly ofAddress: RateLimiter;
  private readonly ofTenant: TenantRates;

  constructor(
    private readonly config: Config,
    { organizations }: Database,
  ) {
    const perSecond = config.CLARION_RATE_LIMIT_INBOX_SUBSCRIBERS;
    this.ofAddress = new RateLimiter(() => perSecond);
    const ofAll = { inbox: perSecond * ADDRESSES };
    this.ofTenant = new TenantRates(ofAll, config, organizations.of);
  }

  /** Throws if too many were created. */
  check(environmentId: EnvironmentId, address: string): void {
    if (!this.config.CLARION_RATE_LIMIT) return;
    const ofAddress = this.ofAddress.take(`${environmentId} ${addressGroup(address)}`, 'inbox', 1);
    const verdict = ofAddress.allowed ? this.ofTenant.take(environmentId, 'inbox', 1) : ofAddress;
    if (verdict.allowed) return;
    const advice = 'sign the subscriberId (subscriberHash), or create the subscriber with an API key';
    throw retryLater('too_many_requests', `Too many new subscribers: ${advice}`, verdict.resetSeconds);
  }
}
