import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, ProviderId, SuppressibleChannel, SuppressionReason } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** An address that nothing is sent to any more on one channel. */
@Entity('suppression')
@Unique('suppression_address_key', ['environmentId', 'channel', 'address'])
@Index('suppression_list_idx', ['environmentId', 'id'])
@Index('suppression_created_idx', ['environmentId', 'createdAt', 'id'])
export class Suppression {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'suppression_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'suppression_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') channel!: SuppressibleChannel;

  /** As libs/rules spells it. */
  @Column('text') address!: string;
  @Column('text') reason!: SuppressionReason;

  /** Who reported it, and about which message; null when it was added by request. */
  @Column('text', { nullable: true }) providerId!: ProviderId | null;
  @Column('uuid', { nullable: true }) integrationId!: string | null;
  @Column('uuid', { nullable: true }) messageId!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
