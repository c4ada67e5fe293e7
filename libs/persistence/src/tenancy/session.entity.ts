import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { ApiKey } from './api-key.entity';
import { Environment } from './environment.entity';
import { Reference } from '../schema/reference';

/** A browser that is signed in with an API key. The browser has the secret; here is only its hash. */
@Entity('session')
@Unique('session_hash_key', ['hash'])
@Index('session_list_idx', ['environmentId', 'id'])
@Index('session_key_idx', ['keyId', 'id'])
export class Session {
  @PrimaryColumn('uuid') id!: string;

  /** The environment of the key. */
  @Reference(() => Environment) environmentId!: EnvironmentId;
  @Reference(() => ApiKey) keyId!: string;
  @Column('bytea') hash!: Buffer;

  /** Where it was opened, shown in the list of sessions. */
  @Column('text') address!: string;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) lastUsedAt!: Date;
  @Column('timestamp with time zone', { precision: 3 }) expiresAt!: Date;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) revokedAt!: Date | null;
}
