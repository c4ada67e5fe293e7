import { Column, Entity, Index, Unique } from 'typeorm';
import type { ProviderId, SuppressibleChannel, SuppressionReason } from '@clarion/contracts/core';
import { EnvironmentRow } from '../tenancy/environment-row';

/** An address that nothing is sent to any more on one channel. */
@Entity('suppression')
@Unique('suppression_address_key', ['environmentId', 'channel', 'address'])
@Index('suppression_list_idx', ['environmentId', 'id'])
@Index('suppression_created_idx', ['environmentId', 'createdAt', 'id'])
export class Suppression extends EnvironmentRow {
  @Column('text') channel!: SuppressibleChannel;

  /** As libs/rules spells it. */
  @Column('text') address!: string;
  @Column('text') reason!: SuppressionReason;

  /** Who reported it, and about which message; null when it was added by request. */
  @Column('text', { nullable: true }) providerId!: ProviderId | null;
  @Column('uuid', { nullable: true }) integrationId!: string | null;
  @Column('uuid', { nullable: true }) messageId!: string | null;
}
