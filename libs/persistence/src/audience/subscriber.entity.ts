import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId, JsonObject, SubscriberRowId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

@Entity('subscriber')
@Unique('subscriber_external_key', ['environmentId', 'subscriberId'])
@Index('subscriber_list_idx', ['environmentId', 'id'])
@Index('subscriber_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('subscriber_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('subscriber_email_idx', ['environmentId', 'email'])
@Index('subscriber_email_trgm_idx', { synchronize: false })
@Index('subscriber_phone_trgm_idx', { synchronize: false })
@Index('subscriber_name_trgm_idx', { synchronize: false })
@Index('subscriber_external_trgm_idx', { synchronize: false })
export class Subscriber {
  @PrimaryColumn('uuid') id!: SubscriberRowId;
  @Reference(() => Environment) environmentId!: EnvironmentId;
  @Column('text') subscriberId!: string;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  @Column('text', { nullable: true }) email!: string | null;
  @Column('text', { nullable: true }) phone!: string | null;
  @Column('text', { nullable: true }) avatar!: string | null;
  @Column('text', { nullable: true }) locale!: string | null;
  @Column('text', { nullable: true }) timezone!: string | null;
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
  @Column('boolean', { nullable: true }) isOnline!: boolean | null;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) lastOnlineAt!: Date | null;
  @Column('integer', { default: 0 }) version!: number;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
