import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  Channel,
  EnvironmentId,
  Json,
  JsonObject,
  MessageStatus,
  ProviderId,
  Severity,
  StepId,
  SubscriberRowId,
  TriggerId,
} from '@clarion/contracts/core';

/** In-app messages are in the primary key and the first three indexes; the others have few messages. */
@Entity('message')
// The list of an environment: of one channel, or of all, which are merged.
@Index('message_channel_idx', ['environmentId', 'channel', 'createdAt', 'id'])
// The feed, the inbox with its counts, the messages of a subscriber, and its erasure.
@Index('message_subscriber_idx', ['subscriberId', 'channel', 'createdAt', 'id'])
// The messages of a transaction: list, deletion, outbox, audit, redaction.
@Index('message_trigger_idx', ['triggerId', 'createdAt', 'id'])
// Reports of providers, which call a message by their own name for it.
@Index('message_provider_idx', ['integrationId', 'providerMessageId'], { where: 'provider_message_id IS NOT NULL' })
// The end of snoozes.
@Index('message_snoozed_idx', { synchronize: false })
// Lists by context.
@Index('message_contexts_idx', { synchronize: false })
export class Message {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;

  /** Has the payload and the transactionId. */
  @Column('uuid') triggerId!: TriggerId;
  @Column('uuid') stepId!: StepId;
  @Column('uuid') subscriberId!: SubscriberRowId;
  @Column('uuid', { nullable: true }) workflowId!: string | null;
  @Column('text', { nullable: true }) messageTemplateId!: string | null;
  @Column('text') channel!: Channel;
  @Column('text', { nullable: true }) providerId!: ProviderId | null;
  @Column('uuid', { nullable: true }) integrationId!: string | null;
  @Column('text', { nullable: true }) providerMessageId!: string | null;
  @Column('text', { nullable: true }) title!: string | null;
  @Column('text', { nullable: true }) subject!: string | null;
  @Column('jsonb', { default: () => '\'""\'' }) content!: Json;
  @Column('text', { nullable: true }) email!: string | null;
  @Column('text', { nullable: true }) phone!: string | null;

  /** Every address that it went to, in the spelling of suppressions: no other is suppressed for it. */
  @Column('text', { array: true, nullable: true }) recipients!: string[] | null;
  @Column('text', { nullable: true }) directWebhookUrl!: string | null;
  @Column('text', { array: true, nullable: true }) deviceTokens!: string[] | null;
  @Column('jsonb', { nullable: true }) cta!: JsonObject | null;
  @Column('jsonb', { nullable: true }) actor!: JsonObject | null;
  @Column('text', { nullable: true }) avatar!: string | null;
  @Column('text', { default: 'sent' }) status!: MessageStatus;
  @Column('text', { nullable: true }) errorId!: string | null;
  @Column('text', { nullable: true }) errorText!: string | null;

  /** Empty when they are those of the trigger. */
  @Column('jsonb', { nullable: true }) overrides!: JsonObject | null;
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
  @Column('text', { array: true, nullable: true }) tags!: string[] | null;
  @Column('text', { default: 'none' }) severity!: Severity;
  @Column('boolean', { default: false }) critical!: boolean;
  @Column('text', { array: true, nullable: true }) contextKeys!: string[] | null;
  @Column('boolean', { default: false }) read!: boolean;
  @Column('boolean', { default: false }) seen!: boolean;
  @Column('boolean', { default: false }) archived!: boolean;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) firstSeenAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) lastSeenAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) lastReadAt!: Date | null;

  /** When a link of it was followed first, or a button pressed. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) clickedAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) archivedAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) snoozedUntil!: Date | null;
  @Column('timestamp with time zone', { array: true, nullable: true }) deliveredAt!: Date[] | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
