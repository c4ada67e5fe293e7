import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  Channel,
  EnvironmentId,
  JsonObject,
  LogEntryType,
  ProviderId,
  StepId,
  SubscriberRowId,
  TriggerId,
} from '@clarion/contracts/core';

/** Something that happened and has no number yet. Inserted by the statement that did it, and never updated. */
@Entity('new_log_entry')
export class NewLogEntry {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'new_log_entry_pkey', generated: 'identity' })
  id!: string;

  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('uuid', { nullable: true })
  messageId!: string | null;

  @Column('uuid', { nullable: true })
  stepId!: StepId | null;

  @Column('uuid', { nullable: true })
  triggerId!: TriggerId | null;

  @Column('uuid', { nullable: true })
  subscriberId!: SubscriberRowId | null;

  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column('text')
  type!: LogEntryType;

  @Column('text', { nullable: true })
  channel!: Channel | null;

  @Column('text', { nullable: true })
  providerId!: ProviderId | null;

  /** What the entry has beside the names of the rows. */
  @Column('jsonb', { nullable: true })
  data!: JsonObject | null;
}

/** The last number that an entry of the environment got. */
@Entity('event_log')
export class EventLog {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'event_log_pkey' })
  environmentId!: EnvironmentId;

  @Column('bigint')
  lastSequence!: string;
}

/** One numbered entry of the event log of an environment. */
@Entity('event_log_entry')
@Index('event_log_entry_sequence_idx', ['environmentId', 'sequence'])
export class EventLogEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'event_log_entry_pkey' })
  id!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'event_log_entry_pkey' })
  environmentId!: EnvironmentId;

  /** Consecutive within the environment. */
  @Column('bigint')
  sequence!: string;

  /** When it happened. */
  @Column('timestamp with time zone', { precision: 3 })
  createdAt!: Date;

  @Column('text')
  type!: LogEntryType;

  @Column('text', { nullable: true })
  channel!: Channel | null;

  /** The workflowId that the caller chose. */
  @Column('text', { nullable: true })
  workflowIdentifier!: string | null;

  @Column('jsonb')
  data!: JsonObject;
}
