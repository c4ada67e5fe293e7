import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from './environment.entity';

/** What an operator allows an environment; null is no limit. */
@Entity('environment_limit')
export class EnvironmentLimit {
  @ForeignKey(() => Environment, { name: 'environment_limit_environment_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'environment_limit_pkey' })
  environmentId!: EnvironmentId;

  @Column('integer', { nullable: true })
  eventsPerSecond!: number | null;

  @Column('integer', { nullable: true })
  messagesPerDay!: number | null;

  @Column('integer', { nullable: true })
  renderMsPerSecond!: number | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
