import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, TriggerId } from '@clarion/contracts/core';

/** A transactionId that a caller chose: one effect each. An id that the gateway made has no row. */
@Entity('transaction')
@Index('transaction_trigger_idx', { synchronize: false })
export class Transaction {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('text') transactionId!: string;
  @Column('uuid') triggerId!: TriggerId;
}
