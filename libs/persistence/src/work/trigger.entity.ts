import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, Json, JsonObject, TriggerId } from '@clarion/contracts/core';

/** accepted: committed, not started. running: recipients are being resolved. */
export type TriggerState = 'accepted' | 'running' | 'done' | 'canceled' | 'failed';

/** One accepted event. Committed before the 201, together with its row of `work`, which exists while it is open. */
@Entity('trigger')
export class Trigger {
  @PrimaryColumn('uuid') id!: TriggerId;
  @Column('uuid') environmentId!: EnvironmentId;
  @Column('text') transactionId!: string;

  /** Of the event without its transactionId: decides whether the same transactionId came with the same event again. */
  @Column('bytea') fingerprint!: Buffer;
  @Column('uuid') workflowId!: string;
  @Column('integer') workflowVersion!: number;
  @Column('jsonb') recipients!: Json;
  @Column('jsonb') payload!: JsonObject;
  @Column('jsonb', { nullable: true }) overrides!: JsonObject | null;
  @Column('jsonb', { nullable: true }) controls!: JsonObject | null;
  @Column('jsonb', { nullable: true }) actor!: Json;
  @Column('text', { nullable: true }) tenant!: string | null;
  @Column('jsonb', { nullable: true }) context!: JsonObject | null;

  /** In seconds since `createdAt`: a message that would be later is not sent. */
  @Column('integer', { nullable: true }) ttl!: number | null;

  /** The caller said that it is a test. */
  @Column('boolean', { nullable: true }) isTest!: boolean | null;

  /** Empty while it is open and when it became notifications. */
  @Column('text', { nullable: true }) outcome!: Extract<TriggerState, 'canceled' | 'failed'> | null;

  /** Why it failed, for a trigger that could not become notifications. */
  @Column('text', { nullable: true }) error!: string | null;

  /** When its marked payload fields were redacted, or began to be: none of its steps can run again. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) redactedAt!: Date | null;
  @Column('text', { nullable: true }) requestId!: string | null;

  /** The trace of the request, for all work that follows from it. */
  @Column('text', { nullable: true }) traceparent!: string | null;
  @Column('text', { nullable: true }) tracestate!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
