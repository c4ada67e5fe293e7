import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

/** An import from another system that has not ended. */
@Entity('import_run')
export class ImportRun {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;

  /** The URL of the other system. */
  @PrimaryColumn('text') source!: string;

  /** Cursors and counts of each kind, and the items that were not imported. */
  @Column('jsonb') progress!: JsonObject;

  /** Each write increases it: of two imports at the same time, one can write. */
  @Column('integer', { default: 0 }) fence!: number;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
