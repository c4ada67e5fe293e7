import type { EnvironmentId } from './ids';

/** Whom a limit counts for: an environment, all environments of its organization, and everything in one process. */
const LEVELS = ['environment', 'organization', 'gateway'] as const;
export type TenantLevel = (typeof LEVELS)[number];

declare const checked: unique symbol;
/** How much of something each level may use in one process. Only `tenantShare` makes one. */
export type TenantShare = Readonly<Record<TenantLevel, number>> & { [checked]: true };

/** Environments are free, so an organization has a share too; and no organization may take everything. */
export function tenantShare(share: Record<TenantLevel, number>): TenantShare {
  const { environment, organization, gateway } = share;
  if (environment > 0 && environment <= organization && organization < gateway) return share as TenantShare;
  throw new Error(`An environment has ${environment}, its organization ${organization} and the process ${gateway}`);
}

/** Parts of a total, each at least one. */
const partsOf = (total: number, environment: number, organization: number): TenantShare =>
  tenantShare({
    environment: Math.max(1, Math.floor(total * environment)),
    organization: Math.max(1, Math.floor(total * organization)),
    gateway: Math.max(2, total),
  });

const MIB = 1024 * 1024;

/** How many times the rate of one environment its organization and a gateway have. */
export type RateMultiples = { organization: number; gateway: number };

/** A limiter is made of a row of this table, so every limit has three levels. */
export const TENANT_LIMITS = {
  /** Connections of the pool that requests hold, for a statement or a transaction. */
  connections: (pool: number) => partsOf(pool, 0.5, 0.6),
  /**
   * Events of bulk calls that are stored at the same time. Two full calls of one environment, or one while another
   * organization stores events too: more statements would store no more events each second, but delay those of others.
   */
  storedEvents: (pool: number, isAlone: boolean) =>
    tenantShare({
      environment: isAlone ? 200 : 100,
      organization: isAlone ? 200 : 150,
      gateway: Math.max(400, 100 * pool),
    }),
  /** Statements that store single events whose transactionIds callers chose. */
  sharedStatements: (pool: number) => partsOf(pool, 0.2, 0.4),
  /** Connected inboxes. */
  sockets: (share: Record<TenantLevel, number>) => tenantShare(share),
  /** Items that are offered to a queue within about a second: more make a tenant noisy. */
  quietItems: () => tenantShare({ environment: 200, organization: 400, gateway: 1_000 }),
  /** Open streams of the activity of one environment. */
  activityStreams: () => tenantShare({ environment: 100, organization: 200, gateway: 500 }),
  /** Open tails of all environments of an organization. */
  tails: () => tenantShare({ environment: 5, organization: 5, gateway: 10 }),
  tailReads: () => tenantShare({ environment: 1, organization: 1, gateway: 2 }),
  /** Rows of long lists that are being answered: one of the longest. */
  listedRows: () => tenantShare({ environment: 1_000, organization: 1_000, gateway: 3_000 }),
  /** Requests for workflows, layouts and translations that are being handled. */
  documents: () => tenantShare({ environment: 4, organization: 4, gateway: 16 }),
  /** Requests that compare or copy all of them. */
  promotions: () => tenantShare({ environment: 2, organization: 2, gateway: 6 }),
  /** Searches through the history for the items of bulk actions. */
  searches: () => tenantShare({ environment: 1, organization: 1, gateway: 3 }),
  /** Files of all rows that callers are reading. */
  exports: () => tenantShare({ environment: 2, organization: 3, gateway: 8 }),
  /** Bytes of answers that callers have not read; Node keeps up to twice as many in memory. */
  unreadBytes: () => tenantShare({ environment: 32 * MIB, organization: 32 * MIB, gateway: 96 * MIB }),
  /** Milliseconds a second of render threads. */
  renderTime: () => tenantShare({ environment: 250, organization: 500, gateway: 1_500 }),
  /** Bytes of a cache of what templates were found to be. */
  cachedBytes: (bytes: number) => partsOf(bytes, 0.25, 0.5),
  /** Texts that are remembered because they took too much time or memory. */
  struckTexts: () => tenantShare({ environment: 200, organization: 400, gateway: 2_000 }),
  /** Bytes of bodies that are being read and worked on; the largest one fits. A body takes a few times its size. */
  bodyBytes: () => tenantShare({ environment: 32 * MIB, organization: 32 * MIB, gateway: 96 * MIB }),
  /** The same of callers without a key: providers and pages of an environment, or an address. */
  keylessBytes: () => tenantShare({ environment: 4 * MIB, organization: 4 * MIB, gateway: 48 * MIB }),
  /** Bytes of files that are in memory to be sent: those of one event fit into the share of its environment. */
  attachedBytes: (largest: number) =>
    tenantShare({ environment: largest, organization: largest, gateway: 3 * largest }),
  /** Bytes of the workflows of the steps that a worker holds, and as many of their rendered messages. */
  heldContents: () => tenantShare({ environment: 16 * MIB, organization: 24 * MIB, gateway: 64 * MIB }),
  /** Requests, events or subscribers a second. */
  rate: (perSecond: number, { organization, gateway }: RateMultiples) =>
    tenantShare({ environment: perSecond, organization: perSecond * organization, gateway: perSecond * gateway }),
};

/** The organization of an environment. One that is not known yet counts as a separate organization. */
export type OrganizationOf = (environmentId: EnvironmentId) => string;

/** Counts what environments use at the moment, at each level. */
export class TenantCounts {
  private readonly used = new Map<string, number>();

  constructor(
    private readonly shareOf: (environmentId: EnvironmentId) => TenantShare,
    private readonly organizationOf: OrganizationOf,
  ) {}

  /** The first level without room for this much more. What is larger than a share has room while it is alone. */
  fullLevel(environmentId: EnvironmentId, amount = 1): TenantLevel | undefined {
    const share = this.shareOf(environmentId);
    return LEVELS.find((level) => {
      const used = this.usedBy(environmentId, level);
      return used > 0 && used + amount > share[level];
    });
  }

  usedBy(environmentId: EnvironmentId, level: TenantLevel): number {
    return this.used.get(this.nameOf(environmentId, level)) ?? 0;
  }

  /** Returns a function that gives it back. */
  take(environmentId: EnvironmentId, amount = 1): () => void {
    // The organization may become known in between.
    const names = LEVELS.map((level) => this.nameOf(environmentId, level));
    for (const name of names) this.used.set(name, (this.used.get(name) ?? 0) + amount);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const name of names) {
        const left = this.used.get(name)! - amount;
        if (left > 0) this.used.set(name, left);
        else this.used.delete(name);
      }
    };
  }

  private nameOf(environmentId: EnvironmentId, level: TenantLevel): string {
    if (level === 'gateway') return level;
    return `${level} ${level === 'environment' ? environmentId : this.organizationOf(environmentId)}`;
  }
}
