import { Check, Column, Entity, Index, Unique } from 'typeorm';
import type { JsonObject } from '@clarion/contracts/core';
import { Layout } from './layout.entity';
import { Workflow } from './workflow.entity';
import { Reference } from '../schema/reference';
import { ChangingRow } from '../tenancy/environment-row';

@Entity('translation')
@Unique('translation_workflow_key', ['workflowId', 'locale'])
@Unique('translation_layout_key', ['layoutId', 'locale'])
@Index('translation_locale_idx', ['environmentId', 'locale'])
@Check('translation_resource_check', `(workflow_id IS NULL) <> (layout_id IS NULL)`)
export class Translation extends ChangingRow {
  @Reference(() => Workflow, { nullable: true }) workflowId!: string | null;
  @Reference(() => Layout, { nullable: true }) layoutId!: string | null;
  @Column('text') locale!: string;
  @Column('json') content!: JsonObject;
}
