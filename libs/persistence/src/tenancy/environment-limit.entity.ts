import { Column, Entity } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from './environment.entity';
import { Reference } from '../schema/reference';

/** Who set a limit. `byOperator`: only the operator changes it. */
export type LimitSource = { setBy: string; byOperator: boolean; reason: string | null; setAt: string };

/** What an environment is allowed; null is no limit. */
@Entity('environment_limit')
export class EnvironmentLimit {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;
  @Column('integer', { nullable: true }) eventsPerSecond!: number | null;
  @Column('integer', { nullable: true }) messagesPerDay!: number | null;
  @Column('integer', { nullable: true }) renderMsPerSecond!: number | null;

  /** Whose use counts: that of the environment, or of all environments of its organization. */
  @Column('text', { default: 'environment' }) counts!: 'environment' | 'organization';

  /** By the name of the limit. One without a source is the operator's. */
  @Column('jsonb', { default: () => "'{}'" }) sources!: Record<string, LimitSource>;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
