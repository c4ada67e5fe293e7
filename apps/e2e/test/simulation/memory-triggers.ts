import type { SubscriberRowId, TriggerId } from '@clarion/contracts';
import {
  type ClaimedTrigger,
  type FanOutCursor,
  type FanOutPage,
  type MemberPage,
  OFFER_MS,
  type Recipient,
  type RecipientInput,
  type StepWarning,
  TRIGGER_LEASE_MS,
} from '@clarion/persistence';
import { ENVIRONMENT, isOpenTrigger, type StepRow, type TriggerRow } from './memory-rows';
import { MemoryWindows } from './memory-windows';

/** Small, so that a few members fill several pages. */
const PAGE = 2;

/** Fan-out: claims of triggers, their recipients, the rows of a committed page, and cancellation. */
export abstract class MemoryTriggers extends MemoryWindows {
  accept(
    trigger: Pick<TriggerRow, 'id' | 'transactionId' | 'workflowId' | 'recipients' | 'payload' | 'context'>,
  ): void {
    this.version += 1;
    this.triggers.set(trigger.id, {
      ...trigger,
      state: 'accepted',
      cursor: null,
      fence: 0,
      crashCount: 0,
      leaseUntil: null,
      offeredUntil: null,
      createdAt: this.now,
      error: null,
    });
  }

  claimTriggers(ids: TriggerId[], alone = false): ClaimedTrigger[] {
    this.version += 1;
    return this.rowsInOrder(this.triggers, ids)
      .filter((row) => isOpenTrigger(row) && this.isFree(row) && (alone || this.mayBeClaimedInBatch(row)))
      .map((row) => {
        row.fence += 1;
        row.crashCount += 1;
        row.leaseUntil = this.now + TRIGGER_LEASE_MS;
        return {
          id: row.id,
          environmentId: ENVIRONMENT,
          transactionId: row.transactionId,
          workflowId: row.workflowId,
          workflowVersion: 1,
          workflowUpdatedAt: new Date(0),
          recipients: row.recipients,
          payload: row.payload,
          overrides: null,
          actor: null,
          tenant: null,
          context: row.context,
          cursor: row.cursor,
          fence: row.fence,
          crashCount: row.crashCount,
          createdAt: new Date(row.createdAt),
          trace: null,
        };
      });
  }

  suspectTriggers(ids: TriggerId[]): TriggerId[] {
    return this.rowsInOrder(this.triggers, ids)
      .filter((row) => isOpenTrigger(row) && this.isFree(row) && row.crashCount > 0)
      .map(({ id }) => id);
  }

  resolve(inputs: RecipientInput[]): Recipient[] {
    return inputs.map(({ environmentId, subscriberId }) => ({
      environmentId,
      subscriberId,
      id: subscriberId as SubscriberRowId,
      avatar: null,
    }));
  }

  topicMembers(topicKeys: string[], cursor: FanOutCursor | null, excluded: string[]): MemberPage {
    const topics = new Map<string, string[]>();
    for (const { topicKey, subscriberId } of this.subscriptions) {
      if (topicKeys.includes(topicKey)) topics.set(subscriberId, [...(topics.get(subscriberId) ?? []), topicKey]);
    }
    return this.page([...topics.keys()].sort(), cursor, excluded, (id) =>
      topics.get(id)!.map((topicKey) => ({ _topicId: topicKey, topicKey })),
    );
  }

  subscribers(cursor: FanOutCursor | null, excluded: string[]): MemberPage {
    return this.page(this.subscriberIds, cursor, excluded, () => []);
  }

  private page(
    ids: string[],
    cursor: FanOutCursor | null,
    excluded: string[],
    topicsOf: (id: string) => { _topicId: string; topicKey: string }[],
  ): MemberPage {
    const page = ids.filter((id) => !cursor || id > cursor.after).slice(0, PAGE);
    return {
      members: page
        .filter((id) => !excluded.includes(id))
        .map((id) => ({ id: id as SubscriberRowId, subscriberId: id, topics: topicsOf(id), preferences: [] })),
      cursor: page.length === PAGE ? { after: page.at(-1)! } : null,
    };
  }

  commit(page: FanOutPage): Set<string> {
    this.version += 1;
    const held = new Set<string>();
    for (const { id, fence, state, cursor, error } of page.triggers) {
      const row = this.triggers.get(id)!;
      if (!this.holds(row, fence) || !isOpenTrigger(row)) continue;
      held.add(id);
      this.saveProgress(row, cursor ?? null);
      row.state = state;
      row.error = error ?? null;
      row.crashCount = 0;
      row.leaseUntil = state === 'running' ? this.now + TRIGGER_LEASE_MS : null;
    }
    for (const { id, triggerId, subscriberId } of page.notifications) {
      if (!held.has(triggerId)) continue;
      const trigger = this.triggers.get(triggerId)!;
      this.notifications.set(id, { id, trigger, subscriberId, digestedInto: null, steps: [] });
    }
    for (const step of page.steps) {
      if (!held.has(step.triggerId)) continue;
      const queued = step.state === 'queued';
      const row: StepRow = {
        id: step.id,
        notification: this.notifications.get(step.notificationId)!,
        position: step.position,
        stepKey: step.stepKey,
        type: step.type,
        state: step.state,
        nextStepId: step.nextStepId ?? null,
        dueAt: queued ? this.now : null,
        offeredUntil: queued ? this.now + OFFER_MS : null,
        leaseUntil: null,
        sendingSince: null,
        fence: 0,
        attempt: 0,
        crashCount: 0,
        integrationId: null,
        digestMasterId: null,
        digestKey: null,
        digest: null,
        output: null,
        error: null,
        scheduleExtensionsCount: null,
        details: [],
        messages: new Map(),
        createdAt: this.now,
      };
      this.steps.set(row.id, row);
      row.notification.steps.push(row);
      if (step.detailId) this.addDetail(row, 'Pending', 'Step queued');
    }
    return held;
  }

  protected saveProgress(row: TriggerRow, cursor: FanOutCursor | null): void {
    row.cursor = cursor;
  }

  warn(warnings: StepWarning[], detail: string): void {
    for (const { stepId, raw } of warnings) this.addDetail(this.steps.get(stepId)!, 'Warning', detail, raw);
  }

  releaseTriggers(triggers: { id: TriggerId; fence: number }[]): void {
    this.version += 1;
    for (const { id, fence } of triggers) {
      const row = this.triggers.get(id)!;
      if (!this.holds(row, fence)) continue;
      row.leaseUntil = null;
      row.offeredUntil = null;
      row.crashCount = Math.max(row.crashCount - 1, 0);
    }
  }

  /** Cancels as the gateway does. The oldest step that joined a canceled digest becomes its master. */
  cancel(transactionId: string): void {
    this.version += 1;
    for (const row of this.triggers.values()) {
      if (row.transactionId === transactionId && isOpenTrigger(row)) row.state = 'canceled';
    }
    const canceled: StepRow[] = [];
    for (const { trigger, steps } of this.notifications.values()) {
      if (trigger.transactionId !== transactionId) continue;
      if (!steps.some(({ state }) => state === 'delayed' || state === 'merged')) continue;
      for (const step of steps) {
        if (step.state !== 'delayed' && step.state !== 'merged' && step.state !== 'pending') continue;
        step.state = 'canceled';
        this.addDetail(step, 'Warning', 'Step was canceled by request');
        this.witness.canceled(step);
        canceled.push(step);
      }
    }
    for (const step of canceled) if (step.type === 'digest') this.passDigestOn(step);
  }
}
