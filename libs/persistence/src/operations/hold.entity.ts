import { Column, Entity, Index } from 'typeorm';
import type { HoldCause } from '@clarion/contracts/core';
import { EnvironmentRow } from '../tenancy/environment-row';

/** A target whose steps wait: an integration, a channel, a workflow or the whole environment. */
@Entity('hold')
@Index('hold_target_key', ['environmentId', 'target', 'targetId'], { unique: true, where: 'resumed_at IS NULL' })
export class Hold extends EnvironmentRow {
  @Column('text') target!: HoldCause;

  /** The id of the integration, the workflow or the environment, or the name of the channel. */
  @Column('text') targetId!: string;

  /** As the target was called when it was held. */
  @Column('text') targetName!: string;
  @Column('text') reason!: string;

  /** `operator`, the name of the API key, or the setting of the environment. */
  @Column('text') heldBy!: string;

  /** Only the operator resumes it. The text of `heldBy` decides nothing. */
  @Column('boolean', { default: false }) byOperator!: boolean;

  /** The hold of a key under that of the operator. It stays when the operator resumes. */
  @Column('jsonb', { nullable: true }) beneath!: Pick<Hold, 'heldBy' | 'reason'> | null;

  /** From then on its steps are released, some each second; the last release deletes the row. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) resumedAt!: Date | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) releasedAt!: Date | null;

  /** When the last step of a release was due, as stored: the others follow. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) releasedTo!: Date | null;
}
