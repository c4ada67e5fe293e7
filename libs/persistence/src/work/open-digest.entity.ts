import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, StepId, SubscriberRowId } from '@clarion/contracts/core';

/** The promise "one open digest per key". */
@Entity('open_digest')
@Index('open_digest_step_idx', ['stepId'])
export class OpenDigest {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('uuid') workflowId!: string;
  @PrimaryColumn('text') stepKey!: string;
  @PrimaryColumn('uuid') subscriberId!: SubscriberRowId;
  @PrimaryColumn('text') digestKey!: string;
  @Column('uuid') stepId!: StepId;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
