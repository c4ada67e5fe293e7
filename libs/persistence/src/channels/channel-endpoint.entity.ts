import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EndpointType, EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';
import { ChannelConnection } from './channel-connection.entity';
import { Environment } from '../tenancy/environment.entity';
import { Integration } from './integration.entity';
import { Subscriber } from '../audience/subscriber.entity';

/** A person or place at a chat provider where a subscriber can be reached; `endpoint` is ciphertext. */
@Entity('channel_endpoint')
@Unique('channel_endpoint_identifier_key', ['environmentId', 'identifier'])
@Index('channel_endpoint_list_idx', ['environmentId', 'id'])
@Index('channel_endpoint_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('channel_endpoint_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('channel_endpoint_integration_idx', ['integrationId'])
@Index('channel_endpoint_subscriber_idx', ['subscriberId'])
@Index('channel_endpoint_connection_idx', ['connectionId'])
export class ChannelEndpoint {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'channel_endpoint_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'channel_endpoint_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') identifier!: string;

  @ForeignKey(() => Integration, { name: 'channel_endpoint_integration_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  integrationId!: string;

  @ForeignKey(() => Subscriber, { name: 'channel_endpoint_subscriber_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  subscriberId!: SubscriberRowId;

  @ForeignKey(() => ChannelConnection, { name: 'channel_endpoint_connection_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  connectionId!: string | null;

  @Column('text', { array: true, default: () => "'{}'" }) contextKeys!: string[];
  @Column('text') type!: EndpointType;
  @Column('text') endpoint!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
