import { announcesQueued, BUILT_IN_PROVIDER, type NotificationId, type StepId } from '@clarion/contracts/core';
import type { FanOutPage, NewNotification, NewStep, TriggerProgress } from '@clarion/persistence';
import type { FanOutPlan } from './fan-out-plan';

/**
 * Notifications with their steps that are committed in one transaction, together with the progress of their triggers.
 */
export class NotificationPage implements FanOutPage {
  readonly triggers: TriggerProgress[] = [];
  readonly notifications: NewNotification[] = [];
  readonly steps: NewStep[] = [];

  constructor(private readonly newId: <T extends string>() => T) {}

  /** Adds one notification with all its steps; returns the id of its first step. */
  add({ trigger, steps }: FanOutPlan, recipient: Omit<NewNotification, 'id' | 'triggerId'>): StepId {
    const notificationId = this.newId<NotificationId>();
    this.notifications.push({ id: notificationId, triggerId: trigger.id, ...recipient });
    const ids = steps.map(() => this.newId<StepId>());
    for (const [position, step] of steps.entries()) {
      const state = position === 0 ? 'queued' : 'pending';
      this.steps.push({
        id: ids[position]!,
        triggerId: trigger.id,
        notificationId,
        subscriberId: recipient.subscriberId,
        position,
        stepKey: step.stepId,
        type: step.type,
        providerId: BUILT_IN_PROVIDER,
        state,
        nextStepId: ids[position + 1],
        ...(state === 'queued' && announcesQueued(step.type) && { detailId: this.newId() }),
      });
    }
    return ids[0]!;
  }
}
