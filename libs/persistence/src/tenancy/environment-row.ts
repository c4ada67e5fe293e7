import { Column, PrimaryColumn } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Reference } from '../schema/reference';
import { Environment } from './environment.entity';

/** A row of an environment, which is deleted with it. */
export abstract class EnvironmentRow {
  @PrimaryColumn('uuid') id!: string;
  @Reference(() => Environment) environmentId!: EnvironmentId;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}

/** One that changes. */
export abstract class ChangingRow extends EnvironmentRow {
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
