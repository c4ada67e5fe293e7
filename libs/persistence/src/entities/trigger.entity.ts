import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, Json, JsonObject, TriggerId } from '@clarion/contracts/core';

/** accepted: committed, not started. running: recipients are being resolved. */
export type TriggerState = 'accepted' | 'running' | 'done' | 'canceled' | 'failed';

/** One accepted event. Committed before the 201. */
@Entity('trigger')
@Index('trigger_open_idx', { synchronize: false })
export class Trigger {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'trigger_pkey' })
  id!: TriggerId;

  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text')
  transactionId!: string;

  @Column('uuid')
  workflowId!: string;

  @Column('integer')
  workflowVersion!: number;

  @Column('jsonb')
  recipients!: Json;

  @Column('jsonb')
  payload!: JsonObject;

  @Column('jsonb', { nullable: true })
  overrides!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  controls!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  actor!: Json;

  @Column('text', { nullable: true })
  tenant!: string | null;

  @Column('jsonb', { nullable: true })
  context!: JsonObject | null;

  @Column('text', { default: 'accepted' })
  state!: TriggerState;

  @Column('jsonb', { nullable: true })
  cursor!: JsonObject | null;

  @Column('integer', { default: 0 })
  fence!: number;

  @Column('integer', { default: 0 })
  crashCount!: number;

  /** Until then the queue is trusted to have it; afterwards the sweeper offers it again. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  offeredUntil!: Date | null;

  /** Why it failed, for a trigger that could not become notifications. */
  @Column('text', { nullable: true })
  error!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  leaseUntil!: Date | null;

  @Column('text', { nullable: true })
  requestId!: string | null;

  /** The trace of the request, for whatever follows from it. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('text', { nullable: true })
  tracestate!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
