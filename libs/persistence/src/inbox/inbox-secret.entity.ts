import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

const PRIMARY_KEY = { primaryKeyConstraintName: 'inbox_secret_pkey' };

/** Signs the sessions of inboxes. An environment has one that does not expire, and those that it replaced. */
@Entity('inbox_secret')
@Index('inbox_secret_current_idx', ['environmentId'], { unique: true, where: 'expires_at IS NULL' })
export class InboxSecret {
  @ForeignKey(() => Environment, { name: 'inbox_secret_environment_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', PRIMARY_KEY)
  environmentId!: EnvironmentId;

  @PrimaryColumn('uuid', PRIMARY_KEY) id!: string;

  /** Encrypted. */
  @Column('text') secret!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** Null for the secret that signs now. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) expiresAt!: Date | null;
}
