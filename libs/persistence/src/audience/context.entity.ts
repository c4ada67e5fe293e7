import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** What a notification was sent about, `type:id` in lists. */
@Entity('context')
@Unique('context_identifier_key', ['environmentId', 'type', 'contextId'])
@Index('context_list_idx', ['environmentId', 'id'])
@Index('context_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('context_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('context_id_idx', ['environmentId', 'contextId'])
@Index('context_key_trgm_idx', { synchronize: false })
export class Context {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'context_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'context_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') type!: string;
  @Column('text') contextId!: string;
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
