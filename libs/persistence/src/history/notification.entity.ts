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

/** One trigger for one subscriber. What all notifications of a trigger share is read from the trigger. */
@Entity('notification')
@Index('notification_subscriber_idx', ['subscriberId', 'id'])
@Index('notification_trigger_idx', ['triggerId', 'id'])
@Index('notification_workflow_idx', ['workflowId', 'id'])
@Index('notification_severity_idx', { synchronize: false })
@Index('notification_topics_idx', { synchronize: false })
@Index('notification_contexts_idx', { synchronize: false })
export class Notification {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notification_pkey' })
  id!: NotificationId;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notification_pkey' })
  environmentId!: EnvironmentId;

  @Column('uuid')
  triggerId!: TriggerId;

  @Column('uuid')
  workflowId!: string;

  @Column('uuid')
  subscriberId!: SubscriberRowId;

  @Column('text', { array: true, default: () => "'{}'" })
  channels!: StepType[];

  @Column('jsonb', { nullable: true })
  to!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  actor!: Json;

  /** Empty without tags. */
  @Column('text', { array: true, nullable: true })
  tags!: string[] | null;

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

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Empty unless a digest took it in. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  updatedAt!: Date | null;
}
