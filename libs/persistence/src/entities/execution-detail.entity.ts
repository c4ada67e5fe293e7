import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  DetailSource,
  DetailStatus,
  EnvironmentId,
  NotificationId,
  ProviderId,
  StepId,
} from '@clarion/contracts/core';

/** One line of the record of a step. */
@Entity('execution_detail')
@Index('execution_detail_notification_idx', ['notificationId'])
export class ExecutionDetail {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'execution_detail_pkey' })
  id!: string;

  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('uuid')
  notificationId!: NotificationId;

  @Column('uuid')
  stepId!: StepId;

  @Column('uuid', { nullable: true })
  messageId!: string | null;

  @Column('text')
  status!: DetailStatus;

  @Column('text')
  detail!: string;

  @Column('text', { default: 'Internal' })
  source!: DetailSource;

  @Column('boolean', { default: false })
  isRetry!: boolean;

  @Column('boolean', { default: false })
  isTest!: boolean;

  @Column('text', { nullable: true })
  providerId!: ProviderId | null;

  @Column('text', { nullable: true })
  raw!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
