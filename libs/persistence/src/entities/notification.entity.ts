import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  EnvironmentId,
  Json,
  JsonObject,
  NotificationId,
  Severity,
  StepType,
  SubscriberRowId,
  TriggerId,
} from '@clarion/contracts/core';

export type NotificationTopic = { _topicId: string; topicKey: string };

/** One trigger for one subscriber. */
@Entity('notification')
@Index('notification_list_idx', ['environmentId', 'id'])
@Index('notification_subscriber_idx', ['environmentId', 'subscriberId', 'id'])
@Index('notification_transaction_idx', ['environmentId', 'transactionId', 'id'])
@Index('notification_workflow_idx', ['environmentId', 'workflowId', 'id'])
@Index('notification_severity_idx', { synchronize: false })
@Index('notification_topics_idx', { synchronize: false })
@Index('notification_contexts_idx', { synchronize: false })
export class Notification {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notification_pkey' })
  id!: NotificationId;

  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('uuid')
  triggerId!: TriggerId;

  @Column('text')
  transactionId!: string;

  @Column('uuid')
  workflowId!: string;

  @Column('integer')
  workflowVersion!: number;

  @Column('uuid')
  subscriberId!: SubscriberRowId;

  @Column('text', { array: true, default: () => "'{}'" })
  channels!: StepType[];

  @Column('jsonb', { nullable: true })
  to!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  payload!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  overrides!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  controls!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  actor!: Json;

  @Column('text', { nullable: true })
  tenant!: string | null;

  @Column('text', { array: true, default: () => "'{}'" })
  tags!: string[];

  @Column('jsonb', { nullable: true })
  topics!: NotificationTopic[] | null;

  @Column('text', { array: true, nullable: true })
  topicKeys!: string[] | null;

  @Column('text', { default: 'none' })
  severity!: Severity;

  @Column('boolean', { default: false })
  critical!: boolean;

  @Column('text', { array: true, nullable: true })
  contextKeys!: string[] | null;

  @Column('uuid', { nullable: true })
  digestedNotificationId!: NotificationId | null;

  /** The trace of its trigger. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('text', { nullable: true })
  tracestate!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
