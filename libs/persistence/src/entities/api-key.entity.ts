import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { KeyScope } from '@clarion/contracts/words';
import { Environment } from './environment.entity';

/** Looked up by hash. The encrypted copy serves the inbox signature alone and is never returned. */
@Entity('api_key')
@Unique('api_key_hash_key', ['hash'])
@Index('api_key_environment_idx', ['environmentId'])
export class ApiKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_key_pkey' })
  id!: string;

  @ForeignKey(() => Environment, { name: 'api_key_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  prefix!: string;

  @Column('bytea')
  hash!: Buffer;

  @Column('text')
  encryptedKey!: string;

  @Column('text', { default: 'full' })
  scope!: KeyScope;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  revokedAt!: Date | null;
}
