import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  Channel,
  EnvironmentId,
  MirrorCopyKind,
  MirrorCopyState,
  MirrorDifferenceKind,
  MirrorFigure,
  MirrorSender,
} from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

const TIME = 'timestamp with time zone';

/** Another system that gets a copy of each trigger of the environment, until a time. */
@Entity('mirror')
export class Mirror {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;

  /** Without a slash at the end. */
  @Column('text') url!: string;

  /** Encrypted. */
  @Column('text') key!: string;
  @Column('text') delivers!: MirrorSender;
  @Column('smallint') comparePercent!: number;
  @Column('integer') settleSeconds!: number;
  @Column(TIME, { precision: 3 }) until!: Date;

  /** Null while it runs, and when the time until which it runs has passed. */
  @Column(TIME, { precision: 3, nullable: true }) endedAt!: Date | null;
  @Column('text', { nullable: true }) endedReason!: string | null;
  @Column('jsonb', { default: {} }) figures!: Partial<Record<MirrorFigure, number>>;

  /** Rows of `mirror_difference`, of which there is a largest number. */
  @Column('integer', { default: 0 }) differences!: number;

  /** Calls that failed since the last one that succeeded. */
  @Column('integer', { default: 0 }) failures!: number;

  /** The first of these failures. */
  @Column(TIME, { precision: 3, nullable: true }) failingSince!: Date | null;

  /** Why the last call failed; null after one that succeeded. */
  @Column('text', { nullable: true }) lastError!: string | null;

  /** No call before this time: the circuit breaker is open, or the other system asked to wait. */
  @Column(TIME, { precision: 3, nullable: true }) notBefore!: Date | null;

  @Column(TIME, { precision: 3, nullable: true }) lastAnsweredAt!: Date | null;

  /** When a worker last took it: mirrors are served in turn. */
  @Column(TIME, { precision: 3, nullable: true }) servedAt!: Date | null;

  /** The worker that serves it, until the lease ends. */
  @Column('uuid', { nullable: true }) leaseId!: string | null;
  @Column(TIME, { precision: 3, nullable: true }) leaseUntil!: Date | null;
  @Column(TIME, { precision: 3, default: () => 'now()' }) createdAt!: Date;
}

/** A trigger or a cancellation that the other system has not got, or whose results have not been compared. */
@Entity('mirror_copy')
@Index('mirror_copy_due_idx', ['environmentId', 'state', 'dueAt'])
@Index('mirror_copy_transaction_idx', ['environmentId', 'transactionId'])
export class MirrorCopy {
  /** The id of the trigger; a cancellation has one that nothing else has. */
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Column(TIME, { precision: 3, default: () => 'now()' }) dueAt!: Date;
  @Column(TIME, { precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** The length of the stored body. */
  @Column('integer') bytes!: number;

  /** Attempts to send that have ended, then comparisons. */
  @Column('smallint', { default: 0 }) attempt!: number;

  /** Whether the results of both systems are compared. */
  @Column('boolean') isCompared!: boolean;
  @Column('text') kind!: MirrorCopyKind;
  @Column('text', { default: 'waiting' }) state!: MirrorCopyState;
  @Column('text') transactionId!: string;

  /** The body of the request, encrypted; null after it was sent, and for a cancellation. */
  @Column('text', { nullable: true }) body!: string | null;
}

@Entity('mirror_difference')
@Index('mirror_difference_list_idx', ['environmentId', 'id'])
@Index('mirror_difference_created_idx', ['environmentId', 'createdAt', 'id'])
export class MirrorDifference {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Column(TIME, { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('text') kind!: MirrorDifferenceKind;
  @Column('text') transactionId!: string;

  /** The subscriberId of the caller; null when the difference is about the whole trigger. */
  @Column('text', { nullable: true }) subscriberId!: string | null;
  @Column('text', { nullable: true }) channel!: Channel | null;

  /** What Clarion recorded. */
  @Column('text', { nullable: true }) here!: string | null;

  /** What the other system recorded. */
  @Column('text', { nullable: true }) other!: string | null;
  @Column('text', { nullable: true }) reason!: string | null;
}
