import { Column, Entity, Index, Unique } from 'typeorm';
import type { SubscriberRowId, Workspace } from '@clarion/contracts/core';
import { Integration } from './integration.entity';
import { Subscriber } from '../audience/subscriber.entity';
import { Reference } from '../schema/reference';
import { ChangingRow } from '../tenancy/environment-row';

/** A workspace or tenant that has allowed an integration to send in it; `auth` is ciphertext. */
@Entity('channel_connection')
@Unique('channel_connection_identifier_key', ['environmentId', 'identifier'])
@Index('channel_connection_list_idx', ['environmentId', 'id'])
@Index('channel_connection_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('channel_connection_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('channel_connection_integration_idx', ['integrationId', 'subscriberId', 'contextKeys'])
@Index('channel_connection_subscriber_idx', ['subscriberId'])
export class ChannelConnection extends ChangingRow {
  @Column('text') identifier!: string;
  @Reference(() => Integration) integrationId!: string;
  @Reference(() => Subscriber, { nullable: true }) subscriberId!: SubscriberRowId | null;
  @Column('text', { array: true, default: () => "'{}'" }) contextKeys!: string[];
  @Column('jsonb') workspace!: Workspace;
  @Column('text') auth!: string;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) refreshingUntil!: Date | null;
}
