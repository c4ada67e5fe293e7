import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, StepId, SubscriberRowId } from '@clarion/contracts/core';

/** The promise "one open digest per key". */
@Entity('open_digest')
@Index('open_digest_step_idx', ['stepId'])
export class OpenDigest {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'open_digest_pkey' }) environmentId!: EnvironmentId;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'open_digest_pkey' }) workflowId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'open_digest_pkey' }) stepKey!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'open_digest_pkey' }) subscriberId!: SubscriberRowId;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'open_digest_pkey' }) digestKey!: string;
  @Column('uuid') stepId!: StepId;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
