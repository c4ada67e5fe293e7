import type { NotificationId, StepId, TriggerId } from '@clarion/contracts';
import type { Integration, NewDetail } from '@clarion/persistence';
import type { NotificationRow, StepRow, Subscription, TriggerRow } from './memory-rows';
import type { Witness } from './witness';
import type { World } from './world';

/**
 * The rows of all tables, and the conditions and writes that every part of the store shares. Each method of the store
 * happens in one instant, as a statement or a transaction does, and reports its effects to the witness.
 */
export abstract class MemoryBase {
  readonly triggers = new Map<TriggerId, TriggerRow>();
  readonly notifications = new Map<NotificationId, NotificationRow>();
  readonly steps = new Map<StepId, StepRow>();
  readonly openDigests = new Map<string, StepId>();
  readonly windows = new Map<string, { events: number; expiresAt: number }>();
  /** Increases with every write. */
  version = 0;
  protected integrationStamp = 0;

  constructor(
    protected readonly world: World,
    protected readonly witness: Witness,
    readonly subscriberIds: string[],
    protected readonly subscriptions: Subscription[],
    readonly integrations: Integration[],
  ) {}

  protected get now(): number {
    return this.world.now;
  }

  /** A row whose last holder crashed is claimed alone. */
  protected mayBeClaimedInBatch({ crashCount }: { crashCount: number }): boolean {
    return crashCount === 0;
  }

  protected isFree(row: { leaseUntil: number | null }): boolean {
    return row.leaseUntil === null || row.leaseUntil <= this.now;
  }

  protected holds(row: { fence: number }, fence: number): boolean {
    return row.fence === fence;
  }

  protected addDetail(row: StepRow, status: NewDetail['status'], detail: string, raw?: string, isRetry = false): void {
    row.details.push({ status, detail, isRetry, at: this.now, ...(raw !== undefined && { raw }) });
    this.world.log(() => `  ${row.id} ${row.type} ${row.state}: ${status} ${detail}${isRetry ? ' (retry)' : ''}`);
  }

  protected rowsInOrder<I extends string, T>(rows: Map<I, T>, ids: I[]): T[] {
    return [...new Set(ids)].sort().flatMap((id) => rows.get(id) ?? []);
  }
}
