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

/**
 * One trigger for one subscriber. What all notifications of a trigger share is read from the trigger. Each notification
 * has an entry in the primary key, which the activity of an environment reads, and in the first three indexes.
 */
@Entity('notification')
// The activity of a subscriber, its export and its erasure.
@Index('notification_subscriber_idx', ['subscriberId', 'id'])
// The notifications of a trigger: activity, summary, cancel, replay, audit, redaction.
@Index('notification_trigger_idx', ['triggerId', 'id'])
// The activity of a workflow, and of the channels that few workflows use.
@Index('notification_workflow_idx', ['workflowId', 'id'])
// The activity by severity, by topic and by context, of the few notifications that have them.
@Index('notification_severity_idx', { synchronize: false })
@Index('notification_topics_idx', { synchronize: false })
@Index('notification_contexts_idx', { synchronize: false })
export class Notification {
  @PrimaryColumn('uuid') id!: NotificationId;
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @Column('uuid') triggerId!: TriggerId;
  @Column('uuid') workflowId!: string;
  @Column('uuid') subscriberId!: SubscriberRowId;
  @Column('text', { array: true, default: () => "'{}'" }) channels!: StepType[];
  @Column('jsonb', { nullable: true }) to!: JsonObject | null;
  @Column('jsonb', { nullable: true }) actor!: Json;

  /** Empty without tags. */
  @Column('text', { array: true, nullable: true }) tags!: string[] | null;
  @Column('jsonb', { nullable: true }) topics!: NotificationTopic[] | null;
  @Column('text', { array: true, nullable: true }) topicKeys!: string[] | null;
  @Column('text', { default: 'none' }) severity!: Severity;
  @Column('boolean', { default: false }) critical!: boolean;
  @Column('text', { array: true, nullable: true }) contextKeys!: string[] | null;
  @Column('uuid', { nullable: true }) digestedNotificationId!: NotificationId | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** Empty unless a digest took it in. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) updatedAt!: Date | null;
}
