import { Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  DetailSource,
  DetailStatus,
  EnvironmentId,
  NotificationId,
  ProviderId,
  StepId,
} from '@clarion/contracts/core';

/** One line of the record of a step, where it is not part of an outcome (`Step.details`). */
@Entity('execution_detail')
export class ExecutionDetail {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('uuid') notificationId!: NotificationId;
  @Column('uuid') stepId!: StepId;
  @Column('uuid', { nullable: true }) messageId!: string | null;
  @Column('text') status!: DetailStatus;
  @Column('text') detail!: string;
  @Column('text', { default: 'Internal' }) source!: DetailSource;
  @Column('boolean', { default: false }) isRetry!: boolean;
  @Column('boolean', { default: false }) isTest!: boolean;
  @Column('text', { nullable: true }) providerId!: ProviderId | null;
  @Column('text', { nullable: true }) raw!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
