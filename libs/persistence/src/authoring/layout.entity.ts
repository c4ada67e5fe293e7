import { Column, Entity, Index, Unique } from 'typeorm';
import type { LayoutControlValues } from '@clarion/contracts/core';
import { ChangingRow } from '../tenancy/environment-row';

/** The frame around an email step. */
@Entity('layout')
@Unique('layout_identifier_key', ['environmentId', 'layoutId'])
@Index('layout_default_key', ['environmentId'], { unique: true, where: 'is_default' })
export class Layout extends ChangingRow {
  @Column('text') layoutId!: string;
  @Column('text') name!: string;
  @Column('boolean', { default: false }) isDefault!: boolean;
  @Column('jsonb', { default: () => "'{}'" }) controlValues!: LayoutControlValues;
}
