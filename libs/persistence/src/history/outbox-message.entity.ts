import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Channel, EnvironmentId, JsonObject, ProviderId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

/** A message that a demo provider took, as it would have gone out. */
@Entity('outbox')
@Index('outbox_list_idx', ['environmentId', 'createdAt', 'id'])
export class OutboxMessage {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;

  /** Of the message. */
  @PrimaryColumn('uuid') id!: string;
  @Column('text') channel!: Channel;
  @Column('text') providerId!: ProviderId;
  @Column('text', { array: true }) to!: string[];
  @Column('text', { nullable: true }) subject!: string | null;
  @Column('text', { nullable: true }) html!: string | null;
  @Column('text', { nullable: true }) text!: string | null;

  /** Sender, copies, headers, names and sizes of attachments. */
  @Column('jsonb', { default: () => "'{}'" }) more!: JsonObject;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
