import { isChannelStepType, type NotificationId, type StepId, type TriggerId } from '@clarion/contracts/core';
import { AWAY_MS, GRACE_MS, type Integration, LEASE_MS, type NewDetail } from '@clarion/persistence';
import {
  type Claim,
  isOpen,
  isOpenTrigger,
  type NotificationRow,
  type StepRow,
  type Subscription,
  type TriggerRow,
  type WorkRow,
} from './memory-rows';
import type { Witness } from './witness';
import type { World } from './world';

/** The first fence of a step that is opened again. */
const FIRST_REOPENED_FENCE = 1_000_000;

export type Suspect<Id> = { id: Id; crashes: number };

/** A row together with the fence that its claim read. */
export type Held = { id: string; fence: number; claimId?: string };

/**
 * The rows of all tables, and the conditions and writes that every part of the store shares. Each method of the store
 * happens in one instant, as a statement or a transaction does, and reports its effects to the witness.
 */
export abstract class MemoryBase {
  readonly triggers = new Map<TriggerId, TriggerRow>();
  readonly notifications = new Map<NotificationId, NotificationRow>();
  readonly steps = new Map<StepId, StepRow>();
  readonly claims = new Map<string, Claim>();
  readonly openDigests = new Map<string, StepId>();
  readonly windows = new Map<string, { events: number; expiresAt: number }>();
  /** Increases with every write. */
  version = 0;
  /**
   * A claim only reads the rows of `work`, so two of them at the same time can claim the same row. The probability that
   * a claim does not see one that was made this shortly before.
   */
  race = { chance: 0, withinMs: 0 };
  protected integrationStamp = 0;
  protected graceUntil = 0;
  private sweptAt = 0;
  private claimCount = 0;
  private reopenedCount = 0;
  private readonly claimsOfRow = new Map<string, Claim[]>();

  constructor(
    protected readonly world: World,
    protected readonly witness: Witness,
    readonly subscriberIds: string[],
    protected readonly subscriptions: Subscription[],
    readonly integrations: Integration[],
  ) {}

  protected get graceMs(): number {
    return GRACE_MS;
  }

  protected get now(): number {
    return this.world.now;
  }

  protected mayBeClaimed({ crashCount }: { crashCount: number }, mostCrashes: number): boolean {
    return crashCount <= mostCrashes;
  }

  protected suspectOf<Id>({ id, crashCount }: { id: Id; crashCount: number }): Suspect<Id> {
    return { id, crashes: crashCount };
  }

  /** The claims that hold the row, with ended leases too: until a crash is counted, the row is not free. */
  protected holdersOf({ id, fence, claimId }: WorkRow & { id: string }): Claim[] {
    const claims = this.claimsOfRow.get(id) ?? [];
    return claims.filter((claim) => claim.fences.get(id) === fence || claim.id === claimId);
  }

  protected isFree(row: WorkRow & { id: string }): boolean {
    return this.holdersOf(row).length === 0;
  }

  /** Whether the claim of a row overlaps in time with the claims that hold it, and so does not see them. */
  protected races(row: WorkRow & { id: string }): boolean {
    const { chance, withinMs } = this.race;
    return (
      chance > 0 &&
      this.holdersOf(row).every(({ id, at }) => id !== row.claimId && this.now - at <= withinMs) &&
      this.world.random.chance(chance)
    );
  }

  /** Adds a claim of the rows. Then deletes the ended claims: the statement still saw them. */
  protected addClaim(rows: (WorkRow & { id: string })[], ended: string[]): string {
    const id = `claim${(this.claimCount += 1)}`;
    if (rows.length > 0) {
      const fences = new Map(rows.map((row) => [row.id, row.fence]));
      const claim: Claim = { id, at: this.now, leaseUntil: this.now + LEASE_MS, fences };
      this.claims.set(id, claim);
      for (const row of rows) this.claimsOfRow.set(row.id, [...(this.claimsOfRow.get(row.id) ?? []), claim]);
    }
    for (const claimId of ended) this.endClaim(claimId);
    return id;
  }

  private endClaim(claimId: string): void {
    const claim = this.claims.get(claimId);
    if (!claim) return;
    this.witness.ended(claimId);
    this.deleteClaim(claim);
  }

  protected deleteClaim(claim: Claim): void {
    this.claims.delete(claim.id);
    for (const id of claim.fences.keys()) {
      const others = this.claimsOfRow.get(id)!.filter((other) => other !== claim);
      if (others.length > 0) this.claimsOfRow.set(id, others);
      else this.claimsOfRow.delete(id);
    }
  }

  renew(claimIds: string[]): Set<string> {
    this.version += 1;
    const renewed = new Set<string>();
    for (const id of claimIds) {
      const claim = this.claims.get(id);
      if (!claim) continue;
      claim.leaseUntil = this.now + LEASE_MS;
      this.witness.renewed(id);
      renewed.add(id);
    }
    return renewed;
  }

  /**
   * Counts a crash for the rows of claims whose lease has ended. The sweepers of the simulation skip sweeps without an
   * effect, so the store knows from the clock when it was away.
   */
  protected endLapsedClaims(): void {
    const { from, until } = this.world.lastAway;
    if (until > this.sweptAt && until - from > AWAY_MS) this.graceUntil = this.now + this.graceMs;
    this.sweptAt = this.now;
    for (const claim of [...this.claims.values()]) {
      if (claim.leaseUntil > this.now || (this.now < this.graceUntil && this.isOfChannel(claim))) continue;
      this.version += 1;
      this.witness.lapsed(claim.id);
      this.deleteClaim(claim);
      for (const [id, fence] of claim.fences) this.crash({ id, fence, claimId: claim.id });
    }
  }

  private isOfChannel(claim: Claim): boolean {
    return [...claim.fences.keys()].some((id) => {
      const row = this.openRow(id);
      return row && 'type' in row && isChannelStepType(row.type);
    });
  }

  /** Gives up rows without an outcome, as if their process had crashed. */
  abandon(rows: Held[]): void {
    this.version += 1;
    for (const row of rows) this.crash(row);
  }

  private crash(held: Held): void {
    const row = this.openRow(held.id);
    if (!row || (!this.holds(row, held.fence) && row.claimId !== held.claimId)) return;
    this.countCrash(row);
    if ('notification' in row) this.witness.crashed(row);
  }

  /** The mark stays: the next holder has to know that a call was made. */
  protected countCrash(row: TriggerRow | StepRow): void {
    row.crashCount += 1;
    row.attempt += 1;
    this.unclaim(row);
  }

  /** The row belongs to no claim any more and waits for an offer. */
  protected unclaim(row: WorkRow): void {
    row.fence += 1;
    row.claimId = null;
    row.offeredAt = null;
    row.wasOfferedAgain = false;
  }

  private openRow(id: string): TriggerRow | StepRow | undefined {
    const trigger = this.triggers.get(id as TriggerId);
    if (trigger) return isOpenTrigger(trigger) ? trigger : undefined;
    const step = this.steps.get(id as StepId);
    return step && isOpen(step) ? step : undefined;
  }

  protected holds(row: { fence: number }, fence: number): boolean {
    return row.fence === fence;
  }

  /** A fence that no process knows which knew the step before. */
  protected reopenedFence(_: StepRow): number {
    return FIRST_REOPENED_FENCE + (this.reopenedCount += 1);
  }

  protected addDetail(row: StepRow, status: NewDetail['status'], detail: string, raw?: string, isRetry = false): void {
    row.details.push({ status, detail, isRetry, at: this.now, ...(raw !== undefined && { raw }) });
    this.world.log(() => `  ${row.id} ${row.type} ${row.state}: ${status} ${detail}${isRetry ? ' (retry)' : ''}`);
  }

  protected rowsInOrder<I extends string, T>(rows: Map<I, T>, ids: I[]): T[] {
    return [...new Set(ids)].sort().flatMap((id) => rows.get(id) ?? []);
  }
}
