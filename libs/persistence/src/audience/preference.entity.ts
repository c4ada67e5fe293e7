import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, PreferenceLayer, SubscriberRowId, SubscriberSchedule } from '@clarion/contracts/core';
import { Subscriber } from './subscriber.entity';
import { Workflow } from '../authoring/workflow.entity';

/** What a subscriber wants to receive; without a workflow it is the global one. */
@Entity('preference')
@Unique('preference_key', ['subscriberId', 'workflowId', 'contextKey'])
export class Preference {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'preference_pkey' }) id!: string;
  @Column('uuid') environmentId!: EnvironmentId;

  @ForeignKey(() => Subscriber, { name: 'preference_subscriber_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  subscriberId!: SubscriberRowId;

  @ForeignKey(() => Workflow, { name: 'preference_workflow_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  @Column('text', { default: '' }) contextKey!: string;
  @Column('jsonb', { default: () => "'{}'" }) preferences!: PreferenceLayer;
  @Column('jsonb', { nullable: true }) schedule!: SubscriberSchedule | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
