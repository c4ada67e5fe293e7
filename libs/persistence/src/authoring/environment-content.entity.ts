import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** Changes with the variables and translations of an environment; an environment without any has no row. */
@Entity('environment_content')
export class EnvironmentContent {
  @ForeignKey(() => Environment, { name: 'environment_content_environment_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'environment_content_pkey' })
  environmentId!: EnvironmentId;

  @Column('bigint', { default: 1 }) version!: string;
}
