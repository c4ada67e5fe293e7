import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { ChannelProviderId, EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';
import { Subscriber } from './subscriber.entity';
import { Integration } from '../channels/integration.entity';
import { Reference } from '../schema/reference';

/** Chat webhook or push tokens of one subscriber at one integration; `credentials` is ciphertext. */
@Entity('subscriber_channel')
@Unique('subscriber_channel_key', ['subscriberId', 'providerId', 'integrationId'])
@Index('subscriber_channel_integration_idx', ['integrationId'])
export class SubscriberChannel {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Reference(() => Subscriber) subscriberId!: SubscriberRowId;
  @Reference(() => Integration) integrationId!: string;
  @Column('text') integrationIdentifier!: string;
  @Column('text') providerId!: ChannelProviderId;
  @Column('text') credentials!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
