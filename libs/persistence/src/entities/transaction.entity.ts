import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, TriggerId } from '@clarion/contracts/core';

/** The promise "one effect per transactionId", which partitions cannot hold. */
@Entity('transaction')
@Index('transaction_trigger_idx', ['triggerId'])
export class Transaction {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'transaction_pkey' })
  environmentId!: EnvironmentId;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'transaction_pkey' })
  transactionId!: string;

  @Column('uuid')
  triggerId!: TriggerId;

  @Column('bytea')
  fingerprint!: Buffer;
}
