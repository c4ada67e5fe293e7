import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';

/** A named group of subscribers. */
@Entity('topic')
@Unique('topic_key_key', ['environmentId', 'key'])
@Index('topic_list_idx', ['environmentId', 'id'])
@Index('topic_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('topic_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('topic_key_trgm_idx', { synchronize: false })
@Index('topic_name_trgm_idx', { synchronize: false })
export class Topic {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'topic_pkey' }) id!: string;

  @ForeignKey(() => Environment, { name: 'topic_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: EnvironmentId;

  @Column('text') key!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
