import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, SensitivePath, TriggerId } from '@clarion/contracts/core';

/** waiting: a step or replay may need the payload. steps, messages: their contents are cleared. */
export type RedactionPhase = 'waiting' | 'steps' | 'messages';

/** A trigger with marked payload fields that are not redacted yet. Stored with the trigger, so none is forgotten. */
@Entity('redaction')
@Index('redaction_due_idx', ['dueAt'])
export class Redaction {
  @PrimaryColumn('uuid') triggerId!: TriggerId;
  @Column('uuid') environmentId!: EnvironmentId;

  /** When it is looked at next. */
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) dueAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** The marked fields of the payload, as the schema of the workflow named them when the event was accepted. */
  @Column('jsonb') paths!: SensitivePath[];
  @Column('text', { default: 'waiting' }) phase!: RedactionPhase;

  /** The last notification or message that the phase has seen: an event with many recipients takes several batches. */
  @Column('uuid', { nullable: true }) cursorId!: string | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) cursorTime!: Date | null;

  /** Whether it was redacted once. The second time finds what was being written meanwhile. */
  @Column('boolean', { default: false }) isRepeated!: boolean;
}
