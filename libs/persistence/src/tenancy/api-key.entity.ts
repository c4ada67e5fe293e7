import { Check, Column, Entity, Index, Unique } from 'typeorm';
import type { KeyScope } from '@clarion/contracts/core';
import { EnvironmentRow } from './environment-row';

/** Looked up by hash. The encrypted copy serves the inbox signature alone and is never returned. */
@Entity('api_key')
@Unique('api_key_hash_key', ['hash'])
@Check('api_key_scope_check', `scope IN ('admin', 'full', 'read', 'trigger')`)
@Index('api_key_environment_idx', ['environmentId'])
export class ApiKey extends EnvironmentRow {
  @Column('text') name!: string;
  @Column('text') prefix!: string;
  @Column('bytea') hash!: Buffer;
  @Column('text') encryptedKey!: string;
  @Column('text', { default: 'full' }) scope!: KeyScope;

  /** Refused from then on; null means never. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) expiresAt!: Date | null;

  /** Addresses and CIDR ranges that it may be used from; null means any. */
  @Column('text', { array: true, nullable: true }) allowedAddresses!: string[] | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) revokedAt!: Date | null;
}
