import {
  type Channel,
  ENGINE_STEP_TYPES,
  type LimitWait,
  NORMAL_LANE,
  type NotificationId,
  type StepId,
  type StepType,
  type SubscriberRowId,
  type TriggerId,
} from '@clarion/contracts/core';
import { type ClaimedStep, EMPTY_PROFILE } from '@clarion/persistence';
import type { Suspect } from './memory-base';
import { ENVIRONMENT, isOpen, type StepRow } from './memory-rows';
import { MemoryTriggers } from './memory-triggers';

const HOUR_MS = 3_600_000;
const RATE_WAIT_MS = 30 * 24 * HOUR_MS;

/** Claims of steps, and what their holders write before the outcome. */
export abstract class MemoryClaims extends MemoryTriggers {
  claimChannel(channel: Channel, ids: StepId[], mostCrashes = 0, ended: string[] = []): ClaimedStep[] {
    return this.claim(ids, mostCrashes, ended, ({ type }) => type === channel);
  }

  claimTimers(ids: StepId[], mostCrashes = 0, ended: string[] = []): ClaimedStep[] {
    return this.claim(ids, mostCrashes, ended, ({ type }) => (ENGINE_STEP_TYPES as readonly StepType[]).includes(type));
  }

  private claim(
    ids: StepId[],
    mostCrashes: number,
    ended: string[],
    condition: (row: StepRow) => boolean,
  ): ClaimedStep[] {
    this.version += 1;
    const raced = new Set<StepRow>();
    const rows = this.rowsInOrder(this.steps, ids).filter((row) => {
      if (!isOpen(row) || !condition(row) || !this.isDue(row) || !this.mayBeClaimed(row, mostCrashes)) return false;
      if (this.isFree(row)) return true;
      const races = this.races(row);
      if (races) raced.add(row);
      return races;
    });
    const claimId = this.addClaim(rows, ended);
    return rows.map((row) => {
      if (raced.has(row)) this.world.count('raced claims');
      this.witness.claimed(row, claimId, raced.has(row));
      return this.toClaimed(row, claimId);
    });
  }

  suspectSteps(ids: StepId[]): Suspect<StepId>[] {
    return this.rowsInOrder(this.steps, ids)
      .filter((row) => isOpen(row) && this.isDue(row) && this.isFree(row) && row.crashCount > 0)
      .map((row) => this.suspectOf(row));
  }

  protected isInDoubt(row: StepRow): boolean {
    return row.sendingSince !== null;
  }

  protected isDue(row: StepRow): boolean {
    return row.dueAt <= this.now;
  }

  markSending(steps: { id: StepId; fence: number; claimId: string }[]): Map<StepId, number> {
    this.version += 1;
    const fences = new Map<StepId, number>();
    for (const { id, fence, claimId } of steps) {
      const row = this.steps.get(id)!;
      if (!isOpen(row) || !this.mayMark(row, fence, claimId)) continue;
      this.witness.marked(row, claimId);
      row.fence += 1;
      row.claimId = claimId;
      row.sendingSince = this.now;
      fences.set(id, row.fence);
    }
    this.renew([...new Set(steps.map(({ claimId }) => claimId))]);
    return fences;
  }

  protected mayMark(row: StepRow, fence: number, claimId: string): boolean {
    return this.holds(row, fence) || row.claimId === claimId;
  }

  releaseSteps(
    steps: { id: StepId; fence: number; claimId: string; inDoubt: boolean; leftMs?: number }[],
    delayMs = 0,
    limit?: LimitWait,
  ): void {
    this.version += 1;
    for (const { id, fence, claimId, inDoubt, leftMs = Infinity } of steps) {
      const row = this.steps.get(id)!;
      if (!isOpen(row) || !(this.holds(row, fence) || row.claimId === claimId)) continue;
      this.release(row, inDoubt);
      row.waitingSince ??= row.dueAt;
      row.waitsFor = limit?.limit === 'rate_limit' ? limit.integrationId : undefined;
      row.dueAt = row.waitsFor
        ? Math.min(this.now + leftMs, Math.max(row.waitingSince + RATE_WAIT_MS, this.now + HOUR_MS))
        : Math.max(row.dueAt, this.now + delayMs);
      this.noteLimit(row, limit ?? (delayMs > 0 ? undefined : row.limit));
      this.witness.released(row);
    }
  }

  /** Has an execution detail when the wait begins. */
  private noteLimit(row: StepRow, limit: LimitWait | undefined): void {
    row.limit = limit;
    if (limit) this.world.count(`${limit.limit} waits`);
    if (!limit || row.notedLimits?.[limit.limit]) return;
    row.notedLimits = { ...row.notedLimits, [limit.limit]: true };
    this.addDetail(row, 'Pending', `Step waits: ${limit.limit}`);
  }

  protected release(row: StepRow, inDoubt: boolean): void {
    if (!inDoubt) row.sendingSince = null;
    this.unclaim(row);
  }

  private toClaimed(row: StepRow, claimId: string): ClaimedStep {
    const { notification } = row;
    const before = notification.steps.filter(({ position, output }) => position < row.position && output !== null);
    return {
      id: row.id as StepId,
      claimId,
      environmentId: ENVIRONMENT,
      lane: NORMAL_LANE,
      notificationId: notification.id as NotificationId,
      transactionId: notification.trigger.transactionId,
      stepKey: row.stepKey,
      type: row.type,
      state: row.state as ClaimedStep['state'],
      digest: row.digest,
      error: row.error,
      integrationId: row.integrationId,
      scheduleExtensionsCount: row.scheduleExtensionsCount,
      attempt: row.attempt + 1,
      fence: row.fence,
      crashCount: row.crashCount + 1,
      inDoubt: this.isInDoubt(row),
      now: new Date(this.now),
      waitedMs: this.now - row.dueAt,
      ageMs: 0,
      claimedAt: 0,
      ttl: null,
      notification: {
        triggerId: notification.trigger.id as TriggerId,
        workflowId: notification.trigger.workflowId,
        workflowVersion: 1,
        payload: notification.trigger.payload,
        overrides: null,
        actor: null,
        tenant: null,
        severity: 'none',
        critical: false,
        contextKeys: null,
        tags: [],
        trace: null,
      },
      subscriber: {
        ...EMPTY_PROFILE,
        id: notification.subscriberId as SubscriberRowId,
        subscriberId: notification.subscriberId,
      },
      preferences: [],
      endpoints: [],
      outputs: before.length > 0 ? Object.fromEntries(before.map(({ stepKey, output }) => [stepKey, output!])) : null,
      workflowUpdatedAt: 0,
      settingsStamp: String(this.integrationStamp),
      contentStamp: null,
      hasSuppressions: false,
      recorded: null,
      isSensitive: false,
      bytes: 0,
      hasReleased: row.hasReleased ?? false,
      notedLimits: row.notedLimits ?? {},
    };
  }
}
