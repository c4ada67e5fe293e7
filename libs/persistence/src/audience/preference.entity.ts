import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, PreferenceLayer, SubscriberRowId, SubscriberSchedule } from '@clarion/contracts/core';
import { Subscriber } from './subscriber.entity';
import { Workflow } from '../authoring/workflow.entity';
import { Reference } from '../schema/reference';

/** What a subscriber wants to receive; without a workflow it is the global one. */
@Entity('preference')
@Unique('preference_key', ['subscriberId', 'workflowId', 'contextKey'])
export class Preference {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Reference(() => Subscriber) subscriberId!: SubscriberRowId;
  @Reference(() => Workflow, { nullable: true }) workflowId!: string | null;
  @Column('text', { default: '' }) contextKey!: string;
  @Column('jsonb', { default: () => "'{}'" }) preferences!: PreferenceLayer;
  @Column('jsonb', { nullable: true }) schedule!: SubscriberSchedule | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
