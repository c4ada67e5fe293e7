import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** A value that templates read as `env.<key>`. */
@Entity('environment_variable')
@Unique('environment_variable_key_key', ['environmentId', 'key'])
@Check('environment_variable_secret_check', `NOT (is_secret AND value IS NOT NULL)`)
export class EnvironmentVariable {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'environment_variable_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'environment_variable_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') key!: string;
  @Column('boolean') isSecret!: boolean;

  /** Null for a secret, and while there is no value. */
  @Column('text', { nullable: true }) value!: string | null;

  /** The encrypted value of a secret. */
  @Column('text', { nullable: true }) sealedValue!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
