import {
  type Channel,
  ENGINE_STEP_TYPES,
  type JsonObject,
  type NotificationId,
  type StepId,
  type StepType,
  type SubscriberRowId,
  type TriggerId,
} from '@clarion/contracts';
import { type ClaimedStep, STEP_LEASE_MS } from '@clarion/persistence';
import { ENVIRONMENT, isOpen, type StepRow } from './memory-rows';
import { MemoryTriggers } from './memory-triggers';

/** Claims of steps: the fence and the lease of the process that runs a step. */
export abstract class MemoryClaims extends MemoryTriggers {
  claimChannel(channel: Channel, ids: StepId[], alone = false): ClaimedStep[] {
    return this.claim(ids, alone, ({ state, type }) => state === 'queued' && type === channel);
  }

  claimTimers(ids: StepId[], alone = false): ClaimedStep[] {
    return this.claim(
      ids,
      alone,
      ({ state, type }) =>
        (state === 'queued' || state === 'delayed') && (ENGINE_STEP_TYPES as readonly StepType[]).includes(type),
    );
  }

  private claim(ids: StepId[], alone: boolean, condition: (row: StepRow) => boolean): ClaimedStep[] {
    this.version += 1;
    return this.rowsInOrder(this.steps, ids)
      .filter(
        (row) => condition(row) && this.isDue(row) && this.isFree(row) && (alone || this.mayBeClaimedInBatch(row)),
      )
      .map((row) => {
        this.witness.claimed(row);
        const inDoubt = this.isInDoubt(row);
        row.fence += 1;
        row.attempt += 1;
        this.countClaim(row);
        row.leaseUntil = this.now + STEP_LEASE_MS;
        return this.toClaimed(row, inDoubt);
      });
  }

  suspectSteps(ids: StepId[]): StepId[] {
    return this.rowsInOrder(this.steps, ids)
      .filter((row) => isOpen(row) && this.isDue(row) && this.isFree(row) && row.crashCount > 0)
      .map(({ id }) => id);
  }

  protected countClaim(row: StepRow): void {
    row.crashCount += 1;
  }

  protected isInDoubt(row: StepRow): boolean {
    return row.sendingSince !== null;
  }

  protected isDue(row: StepRow): boolean {
    return row.dueAt! <= this.now;
  }

  markSending(steps: { id: StepId; fence: number }[]): Set<StepId> {
    this.version += 1;
    return this.extend(steps, (row) => {
      if (row.state !== 'queued') return false;
      row.sendingSince = this.now;
      return true;
    });
  }

  renew(steps: { id: StepId; fence: number }[]): Set<StepId> {
    this.version += 1;
    return this.extend(steps, isOpen);
  }

  private extend(steps: { id: StepId; fence: number }[], condition: (row: StepRow) => boolean): Set<StepId> {
    const extended = new Set<StepId>();
    for (const { id, fence } of steps) {
      const row = this.steps.get(id)!;
      if (!this.holds(row, fence) || !this.isClaimed(row) || !condition(row)) continue;
      row.leaseUntil = this.now + STEP_LEASE_MS;
      this.witness.extended(row, fence);
      extended.add(id);
    }
    return extended;
  }

  /** False after the claim ended with an outcome or a release. */
  protected isClaimed({ leaseUntil }: StepRow): boolean {
    return leaseUntil !== null;
  }

  releaseSteps(steps: { id: StepId; fence: number; inDoubt: boolean }[], delayMs = 0): void {
    this.version += 1;
    for (const { id, fence, inDoubt } of steps) {
      const row = this.steps.get(id)!;
      if (!this.holds(row, fence) || !this.isClaimed(row) || !isOpen(row)) continue;
      if (!inDoubt) row.sendingSince = null;
      row.leaseUntil = null;
      row.offeredUntil = null;
      row.attempt = Math.max(row.attempt - 1, 0);
      row.crashCount = Math.max(row.crashCount - 1, 0);
      row.dueAt = Math.max(row.dueAt!, this.now + delayMs);
      this.witness.released(row);
    }
  }

  private toClaimed(row: StepRow, inDoubt: boolean): ClaimedStep {
    const { notification } = row;
    const before = notification.steps.filter(({ position, output }) => position < row.position && output !== null);
    return {
      id: row.id as StepId,
      environmentId: ENVIRONMENT,
      notificationId: notification.id as NotificationId,
      transactionId: notification.trigger.transactionId,
      position: row.position,
      stepKey: row.stepKey,
      type: row.type,
      state: row.state as ClaimedStep['state'],
      nextStepId: row.nextStepId,
      overrides: null,
      digest: row.digest,
      error: row.error,
      integrationId: row.integrationId,
      scheduleExtensionsCount: row.scheduleExtensionsCount,
      attempt: row.attempt,
      fence: row.fence,
      crashCount: row.crashCount,
      inDoubt,
      now: new Date(this.now),
      waitedMs: this.now - row.dueAt!,
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
      workflowUpdatedAt: new Date(0),
      settingsStamp: String(this.integrationStamp),
      hasSuppressions: false,
    };
  }
}

const EMPTY_PROFILE = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  avatar: null,
  locale: null,
  timezone: null,
  data: null as JsonObject | null,
  isOnline: null,
  lastOnlineAt: null,
};
