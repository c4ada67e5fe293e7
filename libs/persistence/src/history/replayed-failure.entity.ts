import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Channel, EnvironmentId, Outcome, StepId, SubscriberRowId } from '@clarion/contracts/core';

/** How a channel step had failed before a replay opened it again. Its own row then has another outcome. */
@Entity('replayed_failure')
export class ReplayedFailure {
  @PrimaryColumn('uuid') environmentId!: EnvironmentId;
  @PrimaryColumn('uuid') stepId!: StepId;
  @PrimaryColumn('timestamp with time zone', { precision: 3 }) failedAt!: Date;
  @Column('uuid') subscriberId!: SubscriberRowId;
  @Column('text') channel!: Channel;

  /** Failed or in doubt. */
  @Column('text') outcome!: Outcome;
  @Column('text', { nullable: true }) providerId!: string | null;
  @Column('uuid', { nullable: true }) integrationId!: string | null;

  /** The kind of the error of the provider. */
  @Column('text', { nullable: true }) code!: string | null;
  @Column('text', { nullable: true }) reason!: string | null;
}
