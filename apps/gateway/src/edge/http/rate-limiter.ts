import { type EnvironmentId, retryLater } from '@clarion/contracts';

/**
 * Token buckets, one per owner and category, in the memory of this process. They cost no round trip and work without
 * Redis; so the limit of a category applies per gateway process.
 *
 * The capacity of a bucket is five seconds at the configured rate plus a tenth for bursts.
 */
export type RateCategory = 'trigger' | 'configuration' | 'global' | 'inbound' | 'inboundEvents' | 'inbox';

export type RateCheck = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the cost of this request is refilled. */
  resetSeconds: number;
  policy: string;
  /** Names the limit, where an operator has set it. */
  refusal?: string;
};

const WINDOW_SECONDS = 5;
const BURST = 0.1;
const BUCKETS = 10_000;
/** When all buckets are taken, one of this many is evicted. */
const EVICTION_SAMPLE = 8;

type Bucket = { tokens: number; at: number };

export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perSecondOf: (owner: string, category: RateCategory) => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** An environment does not compile as the owner: `TenantRates` also counts for its organization. */
  take<Owner extends string>(
    owner: Owner extends EnvironmentId ? never : Owner,
    category: RateCategory,
    cost: number,
  ): RateCheck {
    return this.takeAll([owner], category, cost);
  }

  /** Takes from the buckets of all owners or, if one has too little, from none. The verdict is about that one. */
  takeAll(owners: readonly string[], category: RateCategory, cost: number): RateCheck & { owner: string } {
    const found = owners.map((owner) => this.find(owner, category, cost));
    const refusing = found.find(({ bucket, needed }) => bucket.tokens < needed);
    if (!refusing) for (const { bucket, needed } of found) bucket.tokens -= needed;
    const { owner, bucket, needed, limit, capacity, refillPerMs } = refusing ?? found[0]!;
    const missing = refusing ? needed - bucket.tokens : needed;
    return {
      owner,
      allowed: refusing === undefined,
      limit,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.max(1, Math.ceil(missing / refillPerMs / 1000)),
      policy:
        `${limit};w=${WINDOW_SECONDS};burst=${capacity};comment="token bucket";category="${category}";` +
        `cost="${cost === 1 ? 'single' : 'bulk'}";serviceLevel="unlimited"`,
    };
  }

  /** The refilled bucket of the owner, and how many tokens the cost needs of it. */
  private find(owner: string, category: RateCategory, cost: number) {
    const perSecond = this.perSecondOf(owner, category);
    // A rate below one event in a window would never allow one.
    const limit = Math.max(1, Math.round(perSecond * WINDOW_SECONDS));
    const capacity = Math.floor(limit * (1 + BURST));
    const refillPerMs = perSecond / 1000;
    const name = `${owner}/${category}`;
    const now = this.now();
    const bucket = this.buckets.get(name) ?? { tokens: capacity, at: now };
    bucket.tokens = Math.min(capacity, bucket.tokens + (now - bucket.at) * refillPerMs);
    bucket.at = now;
    if (!this.buckets.has(name) && this.buckets.size >= BUCKETS) this.evictOne(now);
    this.buckets.set(name, bucket);
    // A request may cost more than the capacity of a small bucket. It is allowed if the bucket is full.
    return { owner, bucket, needed: Math.min(cost, capacity), limit, capacity, refillPerMs };
  }

  /** Evicts the fullest of the oldest buckets: invented owners evict their own full ones, not one that limits. */
  private evictOne(now: number): void {
    const sample: [string, Bucket][] = [];
    for (const entry of this.buckets) if (sample.push(entry) === EVICTION_SAMPLE) break;
    const levelOf = ([name, { tokens, at }]: [string, Bucket]): number => {
      const slash = name.lastIndexOf('/');
      const perSecond = this.perSecondOf(name.slice(0, slash), name.slice(slash + 1) as RateCategory);
      const capacity = Math.floor(perSecond * WINDOW_SECONDS * (1 + BURST));
      return Math.min(1, (tokens + ((now - at) * perSecond) / 1000) / capacity);
    };
    const fullest = sample.reduce((one, other) => (levelOf(other) > levelOf(one) ? other : one));
    for (const [name, bucket] of sample) {
      this.buckets.delete(name);
      if (name !== fullest[0]) this.buckets.set(name, bucket);
    }
  }
}

export function refuseUnless({ allowed, resetSeconds, refusal }: RateCheck): void {
  if (allowed) return;
  const message = `API rate limit exceeded${refusal === undefined ? '' : `: ${refusal}`}`;
  throw retryLater('too_many_requests', message, resetSeconds);
}

/** A bulk call costs as many tokens as it has elements. */
export function rateCost(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 1;
  for (const list of ['events', 'subscribers'] as const) {
    const elements = (body as Record<string, unknown>)[list];
    if (Array.isArray(elements)) return Math.max(1, elements.length);
  }
  return 1;
}
