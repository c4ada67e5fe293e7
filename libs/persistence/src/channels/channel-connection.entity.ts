import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, SubscriberRowId, Workspace } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Integration } from './integration.entity';
import { Subscriber } from '../audience/subscriber.entity';

/** A workspace or tenant that has allowed an integration to send in it; `auth` is ciphertext. */
@Entity('channel_connection')
@Unique('channel_connection_identifier_key', ['environmentId', 'identifier'])
@Index('channel_connection_list_idx', ['environmentId', 'id'])
@Index('channel_connection_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('channel_connection_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('channel_connection_integration_idx', ['integrationId', 'subscriberId', 'contextKeys'])
@Index('channel_connection_subscriber_idx', ['subscriberId'])
export class ChannelConnection {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'channel_connection_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'channel_connection_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') identifier!: string;

  @ForeignKey(() => Integration, { name: 'channel_connection_integration_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  integrationId!: string;

  @ForeignKey(() => Subscriber, { name: 'channel_connection_subscriber_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  subscriberId!: SubscriberRowId | null;

  @Column('text', { array: true, default: () => "'{}'" }) contextKeys!: string[];
  @Column('jsonb') workspace!: Workspace;
  @Column('text') auth!: string;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) refreshingUntil!: Date | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
