import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** A customer of the caller's product, named by triggers. */
@Entity('tenant')
@Unique('tenant_identifier_key', ['environmentId', 'identifier'])
@Index('tenant_list_idx', ['environmentId', 'id'])
export class Tenant {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tenant_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'tenant_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') identifier!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
