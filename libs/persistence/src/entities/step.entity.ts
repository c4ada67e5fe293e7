import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  EnvironmentId,
  JsonObject,
  NotificationId,
  ProviderId,
  StepId,
  StepStatus,
  StepType,
  SubscriberRowId,
} from '@clarion/contracts/core';

/** One step of one notification: the interface's job. */
@Entity('step')
@Index('step_notification_idx', ['notificationId'])
@Index('step_due_idx', { synchronize: false })
@Index('step_digest_master_idx', { synchronize: false })
@Index('step_failed_idx', { synchronize: false })
export class Step {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'step_pkey' })
  id!: StepId;

  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('uuid')
  notificationId!: NotificationId;

  @Column('text')
  transactionId!: string;

  @Column('uuid')
  subscriberId!: SubscriberRowId;

  @Column('smallint')
  position!: number;

  @Column('text')
  stepKey!: string;

  @Column('text')
  type!: StepType;

  @Column('text', { default: 'platform' })
  providerId!: ProviderId;

  @Column('text', { default: 'pending' })
  state!: StepStatus;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  dueAt!: Date | null;

  @Column('integer', { default: 0 })
  attempt!: number;

  @Column('integer', { default: 0 })
  fence!: number;

  @Column('integer', { default: 0 })
  crashCount!: number;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  leaseUntil!: Date | null;

  /** Until then the queue is trusted to have it; afterwards the sweeper offers it again. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  offeredUntil!: Date | null;

  /** Set just before a provider is called: a lease that lapses with it leaves the call in doubt. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  sendingSince!: Date | null;

  /** Since when it was due, where it was given back: `dueAt` has moved since then, so that others come first. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  waitingSince!: Date | null;

  /** The step of the same notification that runs after this one. */
  @Column('uuid', { nullable: true })
  nextStepId!: StepId | null;

  /** The digest step that took this one in. */
  @Column('uuid', { nullable: true })
  digestMasterId!: StepId | null;

  /** The integration that was tried last. */
  @Column('uuid', { nullable: true })
  integrationId!: string | null;

  @Column('jsonb', { nullable: true })
  digest!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  overrides!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  output!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  error!: JsonObject | null;

  @Column('integer', { nullable: true })
  scheduleExtensionsCount!: number | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
