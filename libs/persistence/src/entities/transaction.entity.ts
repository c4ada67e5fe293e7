import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The promise "one effect per transactionId", which partitions cannot hold. */
@Entity('transaction')
@Index('transaction_trigger_idx', ['triggerId'])
export class Transaction {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'transaction_pkey' })
  environmentId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'transaction_pkey' })
  transactionId!: string;

  @Column('uuid')
  triggerId!: string;

  @Column('bytea')
  fingerprint!: Buffer;
}
