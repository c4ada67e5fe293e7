import { rateCost, RateLimiter } from './rate-limiter';

describe('RateLimiter', () => {
  let now = 0;
  const limiter = () => new RateLimiter({ trigger: 10, configuration: 10, global: 10, inbound: 10 }, () => now);

  beforeEach(() => {
    now = 0;
  });

  it('lets a burst of the window and a tenth pass, then refuses', () => {
    const buckets = limiter();
    const verdicts = Array.from({ length: 56 }, () => buckets.take('e', 'trigger', 1));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(55);
    expect(verdicts.at(-1)).toMatchObject({ allowed: false, limit: 50, remaining: 0, resetSeconds: 1 });
  });

  it('refills with time, up to its size', () => {
    const buckets = limiter();
    buckets.take('e', 'trigger', 55);
    now = 1000;
    expect(buckets.take('e', 'trigger', 10).allowed).toBe(true);
    expect(buckets.take('e', 'trigger', 1).allowed).toBe(false);
    now = 3600_000;
    expect(buckets.take('e', 'trigger', 1).remaining).toBe(54);
  });

  it('takes nothing for a refused request', () => {
    const buckets = limiter();
    buckets.take('e', 'trigger', 50);
    expect(buckets.take('e', 'trigger', 10)).toMatchObject({ allowed: false, remaining: 5 });
    expect(buckets.take('e', 'trigger', 5).allowed).toBe(true);
  });

  it('keeps environments and categories apart', () => {
    const buckets = limiter();
    buckets.take('a', 'trigger', 55);
    expect(buckets.take('a', 'trigger', 1).allowed).toBe(false);
    expect(buckets.take('b', 'trigger', 1).allowed).toBe(true);
    expect(buckets.take('a', 'global', 1).allowed).toBe(true);
  });

  it('goes on refusing an owner while another caller makes up owner after owner', () => {
    const buckets = limiter();
    buckets.take('integration', 'inbound', 55);
    for (let made = 0; made < 30_000; made += 1) buckets.take(`made-up-${made}`, 'inbound', 1);
    expect(buckets.take('integration', 'inbound', 1).allowed).toBe(false);
  });

  it('counts the elements of bulk calls', () => {
    expect(rateCost({ events: [1, 2, 3] })).toBe(3);
    expect(rateCost({ subscribers: [] })).toBe(1);
    expect(rateCost(undefined)).toBe(1);
  });
});
