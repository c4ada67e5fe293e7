import {
  announcesQueued,
  type JsonObject,
  NORMAL_LANE,
  stepIdOf,
  type StepType,
  type SubscriberRowId,
  type TriggerId,
} from '@clarion/contracts/core';
import type {
  ClaimedTrigger,
  FanOutCursor,
  FanOutPage,
  MemberPage,
  Recipient,
  RecipientInput,
  StepWarning,
} from '@clarion/persistence';
import {
  ENVIRONMENT,
  isOpenTrigger,
  newWork,
  type NotificationRow,
  type StepRow,
  type TriggerRow,
} from './memory-rows';
import type { Suspect } from './memory-base';
import { MemoryWindows } from './memory-windows';

/** Small, so that a few members fill several pages. */
const PAGE = 2;

/** Fan-out: claims of triggers, their recipients, the rows of a committed page, and cancellation. */
export abstract class MemoryTriggers extends MemoryWindows {
  accept(
    trigger: Pick<TriggerRow, 'id' | 'transactionId' | 'workflowId' | 'recipients' | 'payload' | 'context' | 'actor'>,
  ): void {
    this.version += 1;
    this.triggers.set(trigger.id, {
      ...trigger,
      ...newWork(this.now),
      state: 'accepted',
      cursor: null,
      createdAt: this.now,
      error: null,
    });
  }

  claimTriggers(ids: TriggerId[], mostCrashes = 0, ended: string[] = []): ClaimedTrigger[] {
    this.version += 1;
    const rows = this.rowsInOrder(this.triggers, ids).filter(
      (row) => isOpenTrigger(row) && this.mayBeClaimed(row, mostCrashes) && (this.isFree(row) || this.races(row)),
    );
    const claimId = this.addClaim(rows, ended);
    return rows.map((row) => ({
      id: row.id,
      claimId,
      environmentId: ENVIRONMENT,
      lane: NORMAL_LANE,
      transactionId: row.transactionId,
      workflowId: row.workflowId,
      workflowVersion: 1,
      workflowUpdatedAt: 0,
      recipients: row.recipients,
      payload: row.payload,
      overrides: null,
      actor: row.actor ?? null,
      tenant: null,
      context: row.context,
      cursor: row.cursor,
      fence: row.fence,
      crashCount: row.crashCount + 1,
      createdAt: new Date(row.createdAt),
      trace: null,
    }));
  }

  suspectTriggers(ids: TriggerId[]): Suspect<TriggerId>[] {
    return this.rowsInOrder(this.triggers, ids)
      .filter((row) => isOpenTrigger(row) && this.isFree(row) && row.crashCount > 0)
      .map((row) => this.suspectOf(row));
  }

  resolve(inputs: RecipientInput[]): Recipient[] {
    return inputs.map(({ environmentId, subscriberId }) => ({
      environmentId,
      subscriberId,
      id: subscriberId as SubscriberRowId,
      avatar: null,
    }));
  }

  payloadOf(id: TriggerId): JsonObject {
    return this.triggers.get(id)!.payload;
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
    for (const { id, fence, claimId, state, cursor, error } of page.triggers) {
      const row = this.triggers.get(id)!;
      if (state === 'running') this.renew([claimId]);
      if (!this.holds(row, fence) || !isOpenTrigger(row)) continue;
      held.add(id);
      this.saveProgress(row, cursor ?? null);
      row.state = state;
      row.error = error ?? null;
      row.crashCount = 0;
      row.claimId = claimId;
      this.raiseFence(row);
    }
    const plans = new Map(page.triggers.map(({ id, steps }) => [id, steps]));
    for (const { id, triggerId, subscriberId } of page.notifications) {
      if (!held.has(triggerId)) continue;
      const trigger = this.triggers.get(triggerId)!;
      const notification: NotificationRow = { id, trigger, subscriberId, digestedInto: null, steps: [] };
      this.notifications.set(id, notification);
      for (const [position, step] of plans.get(triggerId)!.entries()) this.addStep(notification, position, step);
    }
    return held;
  }

  /** The first step is due at once. */
  private addStep(
    notification: NotificationRow,
    position: number,
    { stepKey, type }: { stepKey: string; type: StepType },
  ): void {
    const row: StepRow = {
      ...newWork(this.now),
      id: stepIdOf(notification.id, position),
      notification,
      position,
      stepKey,
      type,
      state: position === 0 ? 'queued' : 'pending',
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
    notification.steps.push(row);
    if (position === 0 && announcesQueued(type)) this.addDetail(row, 'Pending', 'Step queued');
  }

  /** A committed page changes the row, so an engine that claimed it at the same time cannot commit that page again. */
  protected raiseFence(row: TriggerRow): void {
    row.fence += 1;
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
      if (this.holds(row, fence) && isOpenTrigger(row)) this.unclaim(row);
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
