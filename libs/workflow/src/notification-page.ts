import { type StepId, stepIdOf, toNotificationId } from '@clarion/contracts/core';
import type { FanOutPage, NewNotification, TriggerProgress } from '@clarion/persistence';
import type { FanOutPlan } from './fan-out-plan';

/** Notifications that are committed in one transaction, together with the progress of their triggers. */
export class NotificationPage implements FanOutPage {
  readonly triggers: TriggerProgress[] = [];
  readonly notifications: NewNotification[] = [];

  constructor(private readonly newId: <T extends string>() => T) {}

  /** Adds one notification; returns the id of its first step. */
  add({ trigger }: FanOutPlan, recipient: Omit<NewNotification, 'id' | 'triggerId'>): StepId {
    const id = toNotificationId(this.newId());
    this.notifications.push({ id, triggerId: trigger.id, ...recipient });
    return stepIdOf(id, 0);
  }
}
