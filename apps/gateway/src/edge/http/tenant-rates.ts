import {
  type EnvironmentId,
  type OrganizationOf,
  TENANT_LIMITS,
  type TenantLevel,
  type TenantShare,
} from '@clarion/contracts';
import type { Config } from '@clarion/platform';
import { type RateCategory, RateLimiter, type RateCheck, refuseUnless } from './rate-limiter';

type Settings = Pick<Config, 'CLARION_RATE_LIMIT' | 'CLARION_RATE_LIMIT_ORGANIZATION' | 'CLARION_RATE_LIMIT_GATEWAY'>;

/** What an environment, its organization and all callers together may ask for in a second, in each category. */
export class TenantRates {
  private readonly limiter: RateLimiter;

  constructor(
    perSecond: Partial<Record<RateCategory, number>>,
    private readonly config: Settings,
    private readonly organizationOf: OrganizationOf,
    now?: () => number,
  ) {
    const multiples = {
      organization: config.CLARION_RATE_LIMIT_ORGANIZATION,
      gateway: config.CLARION_RATE_LIMIT_GATEWAY,
    };
    const shares = new Map<string, TenantShare>();
    for (const [category, rate] of Object.entries(perSecond)) shares.set(category, TENANT_LIMITS.rate(rate, multiples));
    this.limiter = new RateLimiter((owner, category) => shares.get(category)![levelOf(owner)], now);
  }

  take(environmentId: EnvironmentId, category: RateCategory, cost: number): RateCheck {
    const organization = `organization ${this.organizationOf(environmentId)}`;
    const verdict = this.limiter.takeAll([environmentId, organization, 'gateway'], category, cost);
    const level = levelOf(verdict.owner);
    if (verdict.allowed || level === 'environment') return verdict;
    const whose = level === 'organization' ? 'environments of the organization' : 'callers of this gateway';
    return { ...verdict, refusal: `all ${whose} together asked for too much` };
  }

  /** Throws if the environment, or all environments of its organization together, ask for too much. */
  require(environmentId: EnvironmentId, category: RateCategory, cost = 1): void {
    if (this.config.CLARION_RATE_LIMIT) refuseUnless(this.take(environmentId, category, cost));
  }
}

const levelOf = (owner: string): TenantLevel =>
  owner === 'gateway' ? owner : owner.startsWith('organization ') ? 'organization' : 'environment';
