import { Column, Entity, Index } from 'typeorm';
import type { StepFilterDto } from '@clarion/contracts';
import type { Channel, IntegrationHealth, ProviderId } from '@clarion/contracts/core';
import { ChangingRow } from '../tenancy/environment-row';

/** One provider account on one channel. Every value in `credentials` and `configurations` is ciphertext. */
@Entity('integration')
@Index('integration_identifier_key', ['environmentId', 'identifier'], { unique: true, where: 'NOT deleted' })
@Index('integration_primary_key', ['environmentId', 'channel'], { unique: true, where: '"primary" AND NOT deleted' })
@Index('integration_in_app_key', { synchronize: false })
@Index('integration_demo_key', { synchronize: false })
@Index('integration_list_idx', ['environmentId', 'id'], { where: 'NOT deleted' })
export class Integration extends ChangingRow {
  @Column('text') name!: string;
  @Column('text') identifier!: string;
  @Column('text') providerId!: ProviderId;
  @Column('text') channel!: Channel;
  @Column('jsonb', { default: () => "'{}'" }) credentials!: Record<string, string>;
  @Column('jsonb', { default: () => "'{}'" }) configurations!: Record<string, string>;
  @Column('jsonb', { default: () => "'[]'" }) conditions!: StepFilterDto[];
  @Column('boolean', { default: false }) active!: boolean;
  @Column('boolean', { default: false }) primary!: boolean;
  @Column('integer', { default: 0 }) priority!: number;

  /** What the workers found out about the account; null while all is well. */
  @Column('jsonb', { nullable: true }) health!: IntegrationHealth | null;

  /** The last states, newest first; the first is the present one. */
  @Column('jsonb', { default: () => "'[]'" }) healthHistory!: IntegrationHealth[];
  @Column('boolean', { default: false }) deleted!: boolean;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) deletedAt!: Date | null;
  @Column('text', { nullable: true }) deletedBy!: string | null;
}
