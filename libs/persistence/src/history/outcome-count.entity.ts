import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Channel, EnvironmentId } from '@clarion/contracts/core';

/** How many channel steps were accepted, and how they ended. */
abstract class OutcomeCounts {
  @Column('integer', { default: 0 }) accepted!: number;
  @Column('integer', { default: 0 }) delivered!: number;
  @Column('integer', { default: 0 }) failed!: number;
  @Column('integer', { default: 0 }) skipped!: number;

  /** Held, because the message may or may not have been sent. */
  @Column('integer', { default: 0 }) inDoubt!: number;

  /** Failures, also in doubt, that a replay took out of the figures above. */
  @Column('integer', { default: 0 }) replayed!: number;

  /** Steps that failed, were replayed and then delivered. */
  @Column('integer', { default: 0 }) recovered!: number;
}

/** What one statement changed. Inserted and never updated, so that no statement waits for another. */
@Entity('outcome_delta')
export class OutcomeDelta extends OutcomeCounts {
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Column('uuid') workflowId!: string;

  /** The minute in which the notification was made. */
  @Column('timestamp with time zone', { precision: 3 }) at!: Date;
  @Column('text') channel!: Channel;
}

/** The changes of a minute, or of an hour when it is older, added up. */
@Entity('outcome_count')
export class OutcomeCount extends OutcomeCounts {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('timestamp with time zone', { precision: 3 }) at!: Date;
  @PrimaryColumn('uuid') workflowId!: string;
  @PrimaryColumn('text') channel!: Channel;
}
