import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';
import { Subscriber } from '../audience/subscriber.entity';
import { Reference } from '../schema/reference';

/** A gateway that has connected inboxes, and until when its presences count without a renewal. */
@Entity('presence_lease')
export class PresenceLease {
  @PrimaryColumn('uuid') gatewayId!: string;
  @Column('timestamp with time zone', { precision: 3 }) leaseUntil!: Date;
}

/** A subscriber with at least one connected inbox at a gateway. */
@Entity('presence')
@Index('presence_subscriber_idx', ['subscriberId'])
export class Presence {
  @PrimaryColumn('uuid') gatewayId!: string;

  @Reference(() => Subscriber, { primary: true }) subscriberId!: SubscriberRowId;
  @Column('uuid') environmentId!: EnvironmentId;
}
