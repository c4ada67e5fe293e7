import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The answer to a request with an idempotency key, committed with its work; `body` is ciphertext. */
@Entity('idempotency_record')
@Index('idempotency_record_created_idx', ['createdAt'])
export class IdempotencyRecord {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  environmentId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  key!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  method!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_record_pkey' })
  path!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  @Column('integer')
  status!: number;

  @Column('text')
  contentType!: string;

  @Column('text')
  body!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
