import { Check, Column, Entity, Index } from 'typeorm';
import type {
  JsonObject,
  Severity,
  WorkflowOrigin,
  WorkflowPreferences,
  WorkflowStatus,
  WorkflowVariables,
  WhileRetrying,
} from '@clarion/contracts/core';
import { ChangingRow } from '../tenancy/environment-row';

/** The head; steps live in versions. A deleted one stays for notifications under way, but frees its workflowId. */
@Entity('workflow')
@Check('workflow_while_retrying_check', `while_retrying IN ('continue', 'wait')`)
@Index('workflow_identifier_key', ['environmentId', 'workflowId'], { unique: true, where: 'deleted_at IS NULL' })
@Index('workflow_created_idx', ['environmentId', 'createdAt', 'id'])
export class Workflow extends ChangingRow {
  @Column('text') workflowId!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { array: true, default: () => "'{}'" }) tags!: string[];
  @Column('boolean', { default: true }) active!: boolean;
  @Column('text', { default: 'ACTIVE' }) status!: WorkflowStatus;
  @Column('text', { default: 'platform-cloud' }) origin!: WorkflowOrigin;
  @Column('text', { default: 'none' }) severity!: Severity;
  @Column('boolean', { default: false }) validatePayload!: boolean;
  @Column('boolean', { default: true }) escapeHtml!: boolean;
  @Column('text', { default: 'continue' }) whileRetrying!: WhileRetrying;
  @Column('jsonb', { nullable: true }) payloadSchema!: JsonObject | null;
  @Column('jsonb', { default: () => "'{}'" }) preferences!: WorkflowPreferences;
  @Column('jsonb', { default: () => "'{}'" }) variables!: WorkflowVariables;
  @Column('integer', { default: 1 }) currentVersion!: number;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) lastTriggeredAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) deletedAt!: Date | null;
}
