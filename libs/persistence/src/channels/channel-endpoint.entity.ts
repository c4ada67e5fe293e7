import { Column, Entity, Index, Unique } from 'typeorm';
import type { EndpointType, SubscriberRowId } from '@clarion/contracts/core';
import { ChannelConnection } from './channel-connection.entity';
import { Integration } from './integration.entity';
import { Subscriber } from '../audience/subscriber.entity';
import { Reference } from '../schema/reference';
import { ChangingRow } from '../tenancy/environment-row';

/** A person or place at a chat provider where a subscriber can be reached; `endpoint` is ciphertext. */
@Entity('channel_endpoint')
@Unique('channel_endpoint_identifier_key', ['environmentId', 'identifier'])
@Index('channel_endpoint_list_idx', ['environmentId', 'id'])
@Index('channel_endpoint_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('channel_endpoint_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('channel_endpoint_integration_idx', ['integrationId'])
@Index('channel_endpoint_subscriber_idx', ['subscriberId'])
@Index('channel_endpoint_connection_idx', ['connectionId'])
export class ChannelEndpoint extends ChangingRow {
  @Column('text') identifier!: string;
  @Reference(() => Integration) integrationId!: string;
  @Reference(() => Subscriber) subscriberId!: SubscriberRowId;
  @Reference(() => ChannelConnection, { nullable: true }) connectionId!: string | null;
  @Column('text', { array: true, default: () => "'{}'" }) contextKeys!: string[];
  @Column('text') type!: EndpointType;
  @Column('text') endpoint!: string;
}
