import type { EnvironmentId } from './ids';
import { TENANT_LIMITS, TenantCounts, tenantShare, type TenantShare } from './tenant-shares';

describe('TENANT_LIMITS', () => {
  /** The smallest and the largest values that the settings allow. */
  const rows: Record<keyof typeof TENANT_LIMITS, TenantShare[]> = {
    connections: [2, 3, 10, 500].map((pool) => TENANT_LIMITS.connections(pool)),
    storedEvents: [2, 500].flatMap((pool) => [true, false].map((isAlone) => TENANT_LIMITS.storedEvents(pool, isAlone))),
    sharedStatements: [2, 500].map((pool) => TENANT_LIMITS.sharedStatements(pool)),
    sockets: [TENANT_LIMITS.sockets({ environment: 1, organization: 1, gateway: 2 })],
    quietItems: [TENANT_LIMITS.quietItems()],
    activityStreams: [TENANT_LIMITS.activityStreams()],
    tails: [TENANT_LIMITS.tails()],
    tailReads: [TENANT_LIMITS.tailReads()],
    listedRows: [TENANT_LIMITS.listedRows()],
    documents: [TENANT_LIMITS.documents()],
    promotions: [TENANT_LIMITS.promotions()],
    searches: [TENANT_LIMITS.searches()],
    exports: [TENANT_LIMITS.exports()],
    unreadBytes: [TENANT_LIMITS.unreadBytes()],
    renderTime: [TENANT_LIMITS.renderTime()],
    cachedBytes: [0, 8 * 1024 * 1024].map((bytes) => TENANT_LIMITS.cachedBytes(bytes)),
    bodyBytes: [TENANT_LIMITS.bodyBytes()],
    keylessBytes: [TENANT_LIMITS.keylessBytes()],
    struckTexts: [TENANT_LIMITS.struckTexts()],
    attachedBytes: [TENANT_LIMITS.attachedBytes(20_000_000)],
    heldContents: [TENANT_LIMITS.heldContents()],
    rate: [
      TENANT_LIMITS.rate(1, { organization: 1, gateway: 2 }),
      TENANT_LIMITS.rate(6e4, { organization: 2, gateway: 100 }),
    ],
  };

  it.each(Object.entries(rows))('leaves something of %s to other tenants, with any setting', (_, shares) => {
    for (const { environment, organization, gateway } of shares) {
      expect(environment).toBeGreaterThan(0);
      expect(environment).toBeLessThanOrEqual(organization);
      expect(organization).toBeLessThan(gateway);
    }
  });

  it('has no share with which a tenant could use everything', () => {
    expect(() => tenantShare({ environment: 5, organization: 5, gateway: 5 })).toThrow('the process 5');
    expect(() => tenantShare({ environment: 3, organization: 2, gateway: 5 })).toThrow('its organization 2');
    expect(() => tenantShare({ environment: 0, organization: 2, gateway: 5 })).toThrow('An environment has 0');
  });
});

describe('TenantCounts', () => {
  const organizations = new Map<string, string>();
  const organizationOf = (id: string): string => organizations.get(id) ?? id;
  const share = tenantShare({ environment: 2, organization: 3, gateway: 4 });
  const [a1, a2, b1, c1] = ['a1', 'a2', 'b1', 'c1'] as EnvironmentId[];

  beforeEach(() => {
    organizations.clear();
    for (const id of ['a1', 'a2']) organizations.set(id, 'a');
  });

  it('names the level that is full, and counts what is given back once', () => {
    const counts = new TenantCounts(() => share, organizationOf);
    const taken = [counts.take(a1!), counts.take(a1!)];
    expect([counts.fullLevel(a1!), counts.fullLevel(a2!)]).toEqual(['environment', undefined]);
    counts.take(a2!);
    expect([counts.fullLevel(a2!), counts.fullLevel(b1!)]).toEqual(['organization', undefined]);
    counts.take(b1!);
    expect(counts.fullLevel(c1!)).toBe('gateway');
    for (const giveBack of [...taken, ...taken]) giveBack();
    expect(['environment', 'organization', 'gateway'].map((level) => counts.usedBy(a1!, level as 'gateway'))).toEqual([
      0, 1, 2,
    ]);
  });

  it('gives back to the level that it took from when the organization becomes known in between', () => {
    const counts = new TenantCounts(() => share, organizationOf);
    organizations.clear();
    const giveBack = counts.take(a1!);
    organizations.set('a1', 'a');
    giveBack();
    expect(counts.usedBy(a1!, 'organization')).toBe(0);
    expect(counts.fullLevel(a1!, 100)).toBeUndefined();
  });
});
