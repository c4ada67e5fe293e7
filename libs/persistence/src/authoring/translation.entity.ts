import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Layout } from './layout.entity';
import { Workflow } from './workflow.entity';

/** The texts of one workflow or one layout in one locale. */
@Entity('translation')
@Unique('translation_workflow_key', ['workflowId', 'locale'])
@Unique('translation_layout_key', ['layoutId', 'locale'])
@Index('translation_locale_idx', ['environmentId', 'locale'])
@Check('translation_resource_check', `(workflow_id IS NULL) <> (layout_id IS NULL)`)
export class Translation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'translation_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'translation_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @ForeignKey(() => Workflow, { name: 'translation_workflow_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  @ForeignKey(() => Layout, { name: 'translation_layout_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  layoutId!: string | null;

  @Column('text') locale!: string;
  @Column('json') content!: JsonObject;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
