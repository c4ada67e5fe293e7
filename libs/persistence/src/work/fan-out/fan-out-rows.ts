import type {
  EnvironmentId,
  Json,
  JsonObject,
  Lane,
  NotificationId,
  Severity,
  StepId,
  StepType,
  SubscriberRowId,
  SubscriptionPreferences,
  TraceContext,
  TriggerId,
} from '@clarion/contracts/core';
import type { NotificationTopic, Subscriber, Trigger, TriggerState } from '../../entities';
import type { SubscriberProfile } from '../../audience/subscriber.repository';

/** The position of a fan-out in the members of topics, or in all subscribers. */
export type FanOutCursor = { after: string };

/** It belongs to the claiming engine until its lease ends, which `fence` proves: a later claim is higher. */
export type ClaimedTrigger = Pick<
  Trigger,
  'id' | 'environmentId' | 'transactionId' | 'workflowId' | 'workflowVersion'
> &
  Pick<Trigger, 'overrides' | 'actor' | 'tenant' | 'context' | 'createdAt'> & {
    /** The claim of the batch: its lease is that of the trigger. */
    claimId: string;
    /** In milliseconds. */
    workflowUpdatedAt: number;
    recipients: JsonObject[];
    /** Empty unless the trigger is for a topic. */
    payload: JsonObject;
    cursor: FanOutCursor | null;
    lane: Lane;
    /** Goes up with each change of the row, a committed page included. */
    fence: number;
    /** Claims since the last that ended without a crash, this one included. */
    crashCount: number;
    trace: TraceContext | null;
    /** The claim was full: more of the triggers could be claimed. */
    leavesMore?: boolean;
    /** Of what the trigger brings along. */
    bytes?: number;
  };

export type RecipientInput = {
  environmentId: EnvironmentId;
  subscriberId: string;
  newId: SubscriberRowId;
  profile: SubscriberProfile;
  /** The recipient is the actor of the trigger, which templates can show: the stored profile is returned. */
  isActor?: boolean;
};
export type Recipient = Pick<Subscriber, 'environmentId' | 'subscriberId' | 'id' | 'avatar'> & {
  /** The profile of an actor, without absent fields. */
  profile?: JsonObject | null;
};

export type Member = {
  id: SubscriberRowId;
  subscriberId: string;
  topics: NotificationTopic[];
  /** The preferences of each subscription of the member to the topics; null where a subscription has none. */
  preferences: (SubscriptionPreferences | null)[];
  /** The profile of members whose subscriptions may have conditions on it. */
  profile?: JsonObject | null;
};
export type MemberPage = { members: Member[]; cursor: FanOutCursor | null };

export type NewNotification = {
  id: NotificationId;
  triggerId: TriggerId;
  subscriberId: SubscriberRowId;
  to: JsonObject;
  topics?: NotificationTopic[];
};

/** The fields that all notifications of a trigger share, and the state of the trigger after this page. */
export type TriggerProgress = {
  id: TriggerId;
  fence: number;
  claimId: string;
  workflowId: string;
  /** The active steps of the workflow, in order. The first is due with the notification. */
  steps: { stepKey: string; type: StepType }[];
  state: Extract<TriggerState, 'running' | 'done' | 'failed'>;
  cursor?: FanOutCursor | null;
  error?: string;
  actor?: Json;
  channels: StepType[];
  tags: string[];
  severity: Severity;
  critical: boolean;
  contextKeys?: string[];
};

export type StepWarning = { stepId: StepId; environmentId: EnvironmentId; raw: string };

export type FanOutPage = { triggers: TriggerProgress[]; notifications: NewNotification[] };
