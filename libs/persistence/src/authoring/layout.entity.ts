import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, LayoutControlValues } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** The frame around an email step. */
@Entity('layout')
@Unique('layout_identifier_key', ['environmentId', 'layoutId'])
@Index('layout_default_key', ['environmentId'], { unique: true, where: 'is_default' })
export class Layout {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'layout_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'layout_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') layoutId!: string;
  @Column('text') name!: string;
  @Column('boolean', { default: false }) isDefault!: boolean;
  @Column('jsonb', { default: () => "'{}'" }) controlValues!: LayoutControlValues;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
