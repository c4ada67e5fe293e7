import type { ServerResponse } from 'node:http';
import {
  type EnvironmentId,
  type OrganizationOf,
  TENANT_LIMITS,
  TenantCounts,
  type TenantLevel,
} from '@clarion/contracts';

/** Longer than what Node and the operating system buffer at once. */
const LONG = 16 * 1024;

export const isLong = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > LONG;

type Unread = { environmentId: EnvironmentId; end(): void };

/**
 * Long answers that their callers have not read completely. They are in memory, so tenants have shares of it: for an
 * answer without room, the oldest ones of the same tenant are cut off, whose callers had the most time to read.
 */
export class UnreadAnswers {
  private readonly counts: TenantCounts;
  /** In the order in which they were sent. */
  private readonly unread = new Set<Unread>();

  constructor(
    private readonly organizationOf: OrganizationOf,
    share = TENANT_LIMITS.unreadBytes(),
  ) {
    this.counts = new TenantCounts(() => share, organizationOf);
  }

  add(environmentId: EnvironmentId, bytes: number, raw: ServerResponse): void {
    if (raw.closed || raw.destroyed) return;
    for (let oldest; (oldest = this.oldestInTheWay(environmentId, bytes));) oldest.end();
    const giveBack = this.counts.take(environmentId, bytes);
    const leave = (): void => {
      this.unread.delete(one);
      giveBack();
    };
    const one = {
      environmentId,
      end: (): void => {
        leave();
        raw.req.socket.destroy();
      },
    };
    this.unread.add(one);
    raw.once('close', leave);
  }

  private oldestInTheWay(environmentId: EnvironmentId, bytes: number): Unread | undefined {
    const full = this.counts.fullLevel(environmentId, bytes);
    if (!full) return undefined;
    const tenant = this.tenantOf(environmentId, full);
    return [...this.unread].find((one) => this.tenantOf(one.environmentId, full) === tenant);
  }

  private tenantOf(environmentId: EnvironmentId, level: TenantLevel): string {
    if (level === 'gateway') return level;
    return level === 'environment' ? environmentId : this.organizationOf(environmentId);
  }
}
