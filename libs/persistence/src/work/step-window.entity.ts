import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';

/** How many events of one key fell into the open window of a throttle, or of a digest that looks back. */
@Entity('step_window')
@Index('step_window_expires_idx', ['expiresAt'])
export class StepWindow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'step_window_pkey' }) environmentId!: EnvironmentId;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'step_window_pkey' }) workflowId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'step_window_pkey' }) stepKey!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'step_window_pkey' }) subscriberId!: SubscriberRowId;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'step_window_pkey' }) windowKey!: string;
  @Column('integer') events!: number;
  @Column('timestamp with time zone', { precision: 3 }) expiresAt!: Date;
}
