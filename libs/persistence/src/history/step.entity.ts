import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type {
  DetailSource,
  DetailStatus,
  EnvironmentId,
  JsonObject,
  ProviderId,
  StepId,
  StepStatus,
  StepType,
} from '@clarion/contracts/core';

/** An execution detail inside `details`. Keys are short, because every step stores some of them. */
export type PackedDetail = {
  /** The text. */
  d: string;
  /** The status, unless it is Success. */
  s?: DetailStatus;
  /** The source, unless it is Internal. */
  o?: DetailSource;
  /** Of a repeated attempt. */
  t?: true;
  /** The provider. */
  p?: ProviderId;
  /** The message that it is about; `true` when its id is that of the step. */
  m?: string | true;
  /** The original response or other raw data. */
  r?: string;
  /** How long before the end of the step it happened, in milliseconds, unless it is 0. */
  a?: number;
};

/** One step of one notification that has ended: the interface's job. An open step is a row of `work`. */
@Entity('step')
@Index('step_digest_master_idx', { synchronize: false })
@Index('step_failed_idx', { synchronize: false })
export class Step {
  @PrimaryColumn('uuid') id!: StepId;
  @Column('uuid') environmentId!: EnvironmentId;

  /** When it was queued, for step types whose record shows it. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) queuedAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) endedAt!: Date;
  @Column('text') state!: StepStatus;
  @Column('text') type!: StepType;
  @Column('text') stepKey!: string;
  @Column('text', { default: 'platform' }) providerId!: ProviderId;

  /** The integration that was tried last. */
  @Column('uuid', { nullable: true }) integrationId!: string | null;

  /** The digest step that took this one in. */
  @Column('uuid', { nullable: true }) digestMasterId!: StepId | null;
  @Column('integer', { nullable: true }) scheduleExtensionsCount!: number | null;

  /** The execution details of the outcome. */
  @Column('json', { nullable: true }) details!: PackedDetail[] | null;
  @Column('jsonb', { nullable: true }) output!: JsonObject | null;
  @Column('jsonb', { nullable: true }) digest!: JsonObject | null;
  @Column('jsonb', { nullable: true }) error!: JsonObject | null;
}
