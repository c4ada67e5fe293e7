import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

/** Signs the sessions of inboxes. An environment has one that does not expire, and those that it replaced. */
@Entity('inbox_secret')
@Index('inbox_secret_current_idx', ['environmentId'], { unique: true, where: 'expires_at IS NULL' })
export class InboxSecret {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;
  @PrimaryColumn('uuid') id!: string;

  /** Encrypted. */
  @Column('text') secret!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** Null for the secret that signs now. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) expiresAt!: Date | null;
}
