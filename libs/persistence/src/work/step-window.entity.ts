import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';

/** How many events of one key fell into the open window of a throttle, or of a digest that looks back. */
@Entity('step_window')
@Index('step_window_expires_idx', ['expiresAt'])
export class StepWindow {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('uuid') workflowId!: string;
  @PrimaryColumn('text') stepKey!: string;
  @PrimaryColumn('uuid') subscriberId!: SubscriberRowId;
  @PrimaryColumn('text') windowKey!: string;
  @Column('integer') events!: number;
  @Column('timestamp with time zone', { precision: 3 }) expiresAt!: Date;
}
