import { Column, Entity } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

/** Changes with the variables and translations of an environment; an environment without any has no row. */
@Entity('environment_content')
export class EnvironmentContent {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;
  @Column('bigint', { default: 1 }) version!: string;
}
