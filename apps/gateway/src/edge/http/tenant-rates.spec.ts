import type { EnvironmentId } from '@clarion/contracts';
import { TenantRates } from './tenant-rates';

describe('TenantRates', () => {
  let now = 0;
  const [a1, a2, a3, b1, c1] = ['a1', 'a2', 'a3', 'b1', 'c1'] as EnvironmentId[];
  /** Ten a second for an environment, so 55 at once; twice as much for its organization, and three times for all. */
  const rates = () =>
    new TenantRates(
      { trigger: 10, global: 10 },
      { CLARION_RATE_LIMIT: true, CLARION_RATE_LIMIT_ORGANIZATION: 2, CLARION_RATE_LIMIT_GATEWAY: 3 },
      (environmentId) => environmentId[0]!,
      () => now,
    );

  beforeEach(() => (now = 0));

  it('gives all environments of an organization together no more than its share', () => {
    const limiter = rates();
    const allowed = [a1, a2, a3].map((id) => limiter.take(id!, 'trigger', 55).allowed);
    expect(allowed).toEqual([true, true, false]);
    expect(limiter.take(a3!, 'trigger', 1)).toMatchObject({
      allowed: false,
      limit: 100,
      refusal: expect.stringContaining('all environments of the organization together'),
    });
    expect(limiter.take(b1!, 'trigger', 55).allowed).toBe(true);
    expect(limiter.take(a3!, 'global', 1).allowed).toBe(true);
  });

  it('gives all organizations together no more than the share of the gateway', () => {
    const limiter = rates();
    for (const id of [a1, a2, b1]) expect(limiter.take(id!, 'trigger', 55).allowed).toBe(true);
    expect(limiter.take(c1!, 'trigger', 1)).toMatchObject({ refusal: expect.stringContaining('this gateway') });
    now = 1_000;
    expect(limiter.take(c1!, 'trigger', 30).allowed).toBe(true);
  });

  it('takes nothing from any level for a refused request, and describes the environment otherwise', () => {
    const limiter = rates();
    for (const id of [a1, a2]) limiter.take(id!, 'trigger', 50);
    // The organization has ten left.
    expect(limiter.take(a3!, 'trigger', 11).allowed).toBe(false);
    expect(limiter.take(a3!, 'trigger', 10)).toMatchObject({ allowed: true, limit: 50, remaining: 45 });
    expect(limiter.take(a3!, 'trigger', 1).allowed).toBe(false);
  });

  it('throws 429 with the time of the next attempt', () => {
    const limiter = rates();
    limiter.take(a1!, 'global', 55);
    const refusal = { code: 'too_many_requests', headers: { 'Retry-After': '1' } };
    expect(() => limiter.require(a1!, 'global')).toThrow(expect.objectContaining(refusal));
    expect(() => limiter.require(a2!, 'global')).not.toThrow();
  });
});
