import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Channel, EnvironmentId, LogEntryType, WebhookDeliveryState } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

const TIME = 'timestamp with time zone';

/** A URL of the caller that gets entries of the event log. */
@Entity('webhook_endpoint')
@Index('webhook_endpoint_environment_idx', ['environmentId'])
export class WebhookEndpoint {
  @PrimaryColumn('uuid') id!: string;
  @Reference(() => Environment) environmentId!: EnvironmentId;
  @Column('text') url!: string;
  @Column('text', { nullable: true }) description!: string | null;

  /** The types of the entries that it gets; null is every type. */
  @Column('text', { array: true, nullable: true }) events!: LogEntryType[] | null;

  /** Entries about other channels are left out; null is every channel. */
  @Column('text', { array: true, nullable: true }) channels!: Channel[] | null;

  /** Entries about other workflows are left out, by the workflowId of the caller; null is every workflow. */
  @Column('text', { array: true, nullable: true }) workflows!: string[] | null;

  /** Encrypted. */
  @Column('text') secret!: string;

  /** Encrypted. Signs beside the new secret until `previousSecretUntil`. */
  @Column('text', { nullable: true }) previousSecret!: string | null;
  @Column(TIME, { precision: 3, nullable: true }) previousSecretUntil!: Date | null;
  @Column('boolean', { default: true }) active!: boolean;

  /** Why Clarion switched it off; null when the caller did, and while it is active. */
  @Column('text', { nullable: true }) disabledReason!: string | null;
  @Column(TIME, { precision: 3, nullable: true }) disabledAt!: Date | null;

  /** The last entry of the log for which it has been decided whether the endpoint gets it. */
  @Column('bigint') cursor!: string;

  /** A replay has not yet reached the entries after this number, up to `replayTo`. */
  @Column('bigint', { nullable: true }) replayAfter!: string | null;
  @Column('bigint', { nullable: true }) replayTo!: string | null;

  /** Calls that failed since the last one that succeeded. */
  @Column('integer', { default: 0 }) failures!: number;

  /** The first of these failures. */
  @Column(TIME, { precision: 3, nullable: true }) failingSince!: Date | null;

  /** No call before this time: the circuit breaker is open, or the receiver asked to wait. */
  @Column(TIME, { precision: 3, nullable: true }) notBefore!: Date | null;

  /** When the first of its waiting deliveries is due. */
  @Column(TIME, { precision: 3, nullable: true }) nextAttemptAt!: Date | null;
  @Column(TIME, { precision: 3, nullable: true }) lastDeliveredAt!: Date | null;

  /** When a worker last took it: endpoints are served in turn. */
  @Column(TIME, { precision: 3, nullable: true }) servedAt!: Date | null;

  /** The worker that serves it, until the lease ends. */
  @Column('uuid', { nullable: true }) leaseId!: string | null;
  @Column(TIME, { precision: 3, nullable: true }) leaseUntil!: Date | null;
  @Column(TIME, { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column(TIME, { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}

/** One entry for one endpoint: open until it was delivered or the last attempt failed. */
@Entity('webhook_delivery')
@Unique('webhook_delivery_entry_key', ['endpointId', 'entryId'])
@Index('webhook_delivery_due_idx', ['endpointId', 'dueAt'], { where: `state = 'waiting'` })
@Index('webhook_delivery_list_idx', ['endpointId', 'id'])
export class WebhookDelivery {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Reference(() => WebhookEndpoint) endpointId!: string;

  /** The id of the entry, which the receiver gets as webhook-id. */
  @Column('uuid') entryId!: string;

  /** Null for a test, whose entry is in no log. */
  @Column('bigint', { nullable: true }) sequence!: string | null;
  @Column(TIME, { precision: 3, default: () => 'now()' }) dueAt!: Date;
  @Column(TIME, { precision: 3, nullable: true }) attemptedAt!: Date | null;
  @Column(TIME, { precision: 3, nullable: true }) endedAt!: Date | null;
  @Column(TIME, { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** Attempts that have ended. */
  @Column('smallint', { default: 0 }) attempt!: number;
  @Column('smallint', { nullable: true }) responseStatus!: number | null;

  @Column('text') type!: string;
  @Column('text', { default: 'waiting' }) state!: WebhookDeliveryState;

  /** The beginning of the last response. */
  @Column('text', { nullable: true }) responseText!: string | null;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true }) error!: string | null;
}
