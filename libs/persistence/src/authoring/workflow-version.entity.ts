import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, WorkflowStep } from '@clarion/contracts/core';
import { Workflow } from './workflow.entity';
import { Reference } from '../schema/reference';

/** Immutable steps of a workflow: a running notification keeps the version it started with. */
@Entity('workflow_version')
@Unique('workflow_version_key', ['workflowId', 'version'])
export class WorkflowVersion {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Reference(() => Workflow) workflowId!: string;
  @Column('integer') version!: number;
  @Column('jsonb') steps!: WorkflowStep[];
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
