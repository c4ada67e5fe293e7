import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  Channel,
  EnvironmentId,
  JsonObject,
  Lane,
  LimitWait,
  NotedLimits,
  NotificationId,
  ProviderId,
  StepId,
  StepType,
  SubscriberRowId,
  TriggerId,
} from '@clarion/contracts/core';

/** A step that follows: its position in the workflow, its key and its type. */
export type LaterStep = [position: number, stepKey: string, type: StepType];

/** Values that few open rows have. */
export type WorkProgress = {
  /** Of a trigger: where the walk over its topics or subscribers stands. */
  cursor?: JsonObject;
  /** Of a step: the configuration of its digest. */
  digest?: JsonObject;
  /** Of a step: why the last attempt failed. */
  error?: JsonObject;
  /** Of a step: the integration that was tried last, and its provider. */
  integrationId?: string;
  providerId?: string;
  scheduleExtensionsCount?: number;
  /** Of a step that waits for a retry: steps behind it run meanwhile, and those that it kept wait for them too. */
  hasReleased?: boolean;
  /** Of a step that was given back because of a limit. */
  limit?: LimitWait;
  /** The limits whose wait has an execution detail, until the next attempt. */
  noted?: NotedLimits;
  /** Of a delay: the earlier step whose message ends it when it is read. */
  awaitsReadOf?: StepId | null;
  /** Of a step that runs again: the identifier of the only integration that may send it. */
  through?: string;
};

export type ReplayThrough = { channel: Channel; integrationIdentifier: string; providerId: ProviderId };

/**
 * One open trigger or step. Narrow, because it changes while it is open; the statement that writes the outcome deletes
 * it. The `fence` goes up with each change, so a process that read an older version cannot write.
 */
@Entity('work')
@Index('work_lane_idx', ['environmentId', 'type', 'lane', 'dueAt'])
@Index('work_hold_idx', ['holdId', 'dueAt'], { where: 'hold_id IS NOT NULL' })
@Index('work_waits_for_idx', ['waitsFor', 'lane', 'dueAt'], { where: 'waits_for IS NOT NULL' })
export class Work {
  /** Of the trigger or the step. */
  @PrimaryColumn('uuid') id!: TriggerId | StepId;
  @Column('uuid') environmentId!: EnvironmentId;

  /** Has the payload, which must be kept while a step needs it. */
  @Column('uuid') triggerId!: TriggerId;
  @Column('uuid', { nullable: true }) notificationId!: NotificationId | null;
  @Column('uuid', { nullable: true }) subscriberId!: SubscriberRowId | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) dueAt!: Date;

  /** When the step was queued, for step types whose record shows it. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) queuedAt!: Date | null;

  /** Since when it was due, where it was given back: `dueAt` has moved since then, so that others come first. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) waitingSince!: Date | null;

  /** When it was last offered to the queue. Empty: the sweeper offers it as soon as it is due. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) offeredAt!: Date | null;

  /** Set just before a provider is called: when the claim ends with it, the call is in doubt. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) sendingSince!: Date | null;

  /** The claim that holds it, where the claim wrote to the row: a mark, or a page of a walk. */
  @Column('uuid', { nullable: true }) claimId!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
  @Column('integer', { default: 1 }) fence!: number;

  /** Attempts that have ended. */
  @Column('smallint', { default: 0 }) attempt!: number;

  /** Claims that ended in a crash, since the last that did not. */
  @Column('smallint', { default: 0 }) crashCount!: number;

  /** A timer that has been decided and waits for its time. */
  @Column('boolean', { default: false }) isDelayed!: boolean;

  /** The last offer came from the sweeper. */
  @Column('boolean', { default: false }) wasOfferedAgain!: boolean;
  @Column('text') type!: StepType;
  @Column('text', { nullable: true }) stepKey!: string | null;

  /** The steps of the notification that wait for this one, in order. */
  @Column('jsonb', { nullable: true }) laterSteps!: LaterStep[] | null;
  @Column('jsonb', { nullable: true }) progress!: WorkProgress | null;

  /** Of a step: outcomes are counted by workflow. */
  @Column('uuid', { nullable: true }) workflowId!: string | null;

  /** The hold that it waits for. Its `dueAt` is far in the future meanwhile (`hold.sql.ts`). */
  @Column('uuid', { nullable: true }) holdId!: string | null;

  /** The priority of its event: the lower number goes first. */
  @Column('smallint', { default: 2 }) lane!: Lane;

  /** The integration that it waits for, because no account can be called (`account-waits.sql.ts`). */
  @Column('uuid', { nullable: true }) waitsFor!: string | null;
}
