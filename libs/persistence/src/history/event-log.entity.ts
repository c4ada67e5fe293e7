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
@Index('new_log_entry_turn_idx', ['environmentId', 'id'])
export class NewLogEntry {
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Column('uuid', { nullable: true }) messageId!: string | null;
  @Column('uuid', { nullable: true }) stepId!: StepId | null;
  @Column('uuid', { nullable: true }) triggerId!: TriggerId | null;
  @Column('uuid', { nullable: true }) subscriberId!: SubscriberRowId | null;
  @Column('uuid', { nullable: true }) workflowId!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('text') type!: LogEntryType;
  @Column('text', { nullable: true }) channel!: Channel | null;
  @Column('text', { nullable: true }) providerId!: ProviderId | null;

  /** What the entry has beside the names of the rows. */
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
}

/** What `NewLogEntry` is, for all messages that one statement recorded as sent: an element for each of them. */
@Entity('new_log_batch')
@Index('new_log_batch_turn_idx', ['environmentId', 'id'])
export class NewLogBatch {
  @PrimaryColumn('bigint', { default: () => `nextval('new_log_entry_id_seq')` }) id!: string;

  @Column('uuid') environmentId!: EnvironmentId;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** Each message has an entry for each of them. */
  @Column('text', { array: true }) types!: LogEntryType[];
  @Column('text') channel!: Channel;
  @Column('text', { nullable: true }) providerId!: ProviderId | null;
  @Column('uuid', { array: true }) stepIds!: StepId[];

  /** Null when each message has the id of its step. */
  @Column('uuid', { array: true, nullable: true }) messageIds!: string[] | null;
  @Column('uuid', { array: true }) triggerIds!: TriggerId[];
  @Column('uuid', { array: true }) subscriberIds!: SubscriberRowId[];
  @Column('uuid', { array: true }) workflowIds!: string[];
}

/** The last number that an entry of the environment got. */
@Entity('event_log')
export class EventLog {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @Column('bigint') lastSequence!: string;

  /** From then on entries are packed (`EventLogBatch`). */
  @Column('timestamp with time zone', { precision: 3, default: '-infinity' }) packsFrom!: Date;
}

/** One numbered entry of the event log of an environment. */
@Entity('event_log_entry')
@Index('event_log_entry_sequence_idx', ['environmentId', 'sequence'])
export class EventLogEntry {
  @PrimaryColumn('uuid') id!: string;
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;

  /** Consecutive within the environment. */
  @Column('bigint') sequence!: string;

  @Column('timestamp with time zone', { precision: 3 }) createdAt!: Date;
  @Column('text') type!: LogEntryType;
  @Column('text', { nullable: true }) channel!: Channel | null;

  /** The workflowId that the caller chose. */
  @Column('text', { nullable: true }) workflowIdentifier!: string | null;
  @Column('jsonb') data!: JsonObject;
}

/** The numbered entries of a `NewLogBatch`: `log-entries.sql.ts` reads them as if they had a row each. */
@Entity('event_log_batch')
@Index('event_log_batch_sequence_idx', ['environmentId', 'firstSequence'])
export class EventLogBatch {
  @PrimaryColumn('uuid') id!: string;
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @Column('bigint') firstSequence!: string;
  @Column('bigint') lastSequence!: string;
  @Column('timestamp with time zone', { precision: 3 }) createdAt!: Date;
  @Column('text', { array: true }) types!: LogEntryType[];
  @Column('text') channel!: Channel;
  @Column('text', { nullable: true }) providerId!: ProviderId | null;
  @Column('uuid', { array: true }) stepIds!: StepId[];

  /** Null when each message has the id of its step. */
  @Column('uuid', { array: true, nullable: true }) messageIds!: string[] | null;
  @Column('uuid', { array: true }) triggerIds!: (TriggerId | null)[];

  /** Those that callers chose; null when there are none. */
  @Column('text', { array: true, nullable: true }) transactionIds!: (string | null)[] | null;

  /** The subscriberIds that the caller chose; null when the subscriber is gone. */
  @Column('text', { array: true }) subscriberIds!: (string | null)[];
  @Column('text', { array: true }) workflowIdentifiers!: (string | null)[];
}
