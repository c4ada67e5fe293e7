import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';
import { Subscriber } from '../audience/subscriber.entity';

/** A gateway that has connected inboxes, and until when its presences count without a renewal. */
@Entity('presence_lease')
export class PresenceLease {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'presence_lease_pkey' }) gatewayId!: string;
  @Column('timestamp with time zone', { precision: 3 }) leaseUntil!: Date;
}

/** A subscriber with at least one connected inbox at a gateway. */
@Entity('presence')
@Index('presence_subscriber_idx', ['subscriberId'])
export class Presence {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'presence_pkey' }) gatewayId!: string;

  @ForeignKey(() => Subscriber, { name: 'presence_subscriber_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'presence_pkey' })
  subscriberId!: SubscriberRowId;

  @Column('uuid') environmentId!: EnvironmentId;
}
