import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';

/** Committed with its work; `body` is ciphertext. While the request runs, `claim` holds the record. */
@Entity('idempotency_record')
@Index('idempotency_record_created_idx', ['createdAt'])
export class IdempotencyRecord {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('text') key!: string;
  @PrimaryColumn('text') method!: string;
  @PrimaryColumn('text') path!: string;
  @Column('bytea') fingerprint!: Buffer;
  @Column('integer', { nullable: true }) status!: number | null;
  @Column('text', { nullable: true }) contentType!: string | null;
  @Column('text', { nullable: true }) body!: string | null;
  @Column('uuid', { nullable: true }) claim!: string | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) leaseUntil!: Date | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
