import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** An import from another system that has not ended. */
@Entity('import_run')
export class ImportRun {
  @ForeignKey(() => Environment, { name: 'import_run_environment_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'import_run_pkey' })
  environmentId!: EnvironmentId;

  /** The URL of the other system. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_run_pkey' }) source!: string;

  /** Cursors and counts of each kind, and the items that were not imported. */
  @Column('jsonb') progress!: JsonObject;

  /** Each write increases it: of two imports at the same time, one can write. */
  @Column('integer', { default: 0 }) fence!: number;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
