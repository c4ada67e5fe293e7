import { rateCost, RateLimiter } from './rate-limiter';

describe('RateLimiter', () => {
  let now = 0;
  const limiter = () =>
    new RateLimiter(
      () => 10,
      () => now,
    );

  beforeEach(() => {
    now = 0;
  });

  it('allows a burst of the limit of one window plus a tenth and refuses the next request', () => {
    const buckets = limiter();
    const verdicts = Array.from({ length: 56 }, () => buckets.take('e', 'trigger', 1));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(55);
    expect(verdicts.at(-1)).toMatchObject({ allowed: false, limit: 50, remaining: 0, resetSeconds: 1 });
  });

  it('refills a bucket over time up to its capacity', () => {
    const buckets = limiter();
    buckets.take('e', 'trigger', 55);
    now = 1000;
    expect(buckets.take('e', 'trigger', 10).allowed).toBe(true);
    expect(buckets.take('e', 'trigger', 1).allowed).toBe(false);
    now = 3600_000;
    expect(buckets.take('e', 'trigger', 1).remaining).toBe(54);
  });

  it('takes no tokens for a refused request', () => {
    const buckets = limiter();
    buckets.take('e', 'trigger', 50);
    expect(buckets.take('e', 'trigger', 10)).toMatchObject({ allowed: false, remaining: 5 });
    expect(buckets.take('e', 'trigger', 5).allowed).toBe(true);
  });

  it('counts environments and categories separately', () => {
    const buckets = limiter();
    buckets.take('a', 'trigger', 55);
    expect(buckets.take('a', 'trigger', 1).allowed).toBe(false);
    expect(buckets.take('b', 'trigger', 1).allowed).toBe(true);
    expect(buckets.take('a', 'global', 1).allowed).toBe(true);
  });

  it('keeps an empty bucket when a caller invents thousands of other owners', () => {
    const buckets = limiter();
    buckets.take('integration', 'inbound', 55);
    for (let count = 0; count < 30_000; count += 1) buckets.take(`invented-${count}`, 'inbound', 1);
    expect(buckets.take('integration', 'inbound', 1).allowed).toBe(false);
  });

  it('computes the cost of a bulk call from the number of its elements', () => {
    expect(rateCost({ events: [1, 2, 3] })).toBe(3);
    expect(rateCost({ subscribers: [] })).toBe(1);
    expect(rateCost(undefined)).toBe(1);
  });
});
