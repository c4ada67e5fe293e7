import { Column, Entity, Index, Unique } from 'typeorm';
import { ChangingRow } from '../tenancy/environment-row';

/** A named group of subscribers. */
@Entity('topic')
@Unique('topic_key_key', ['environmentId', 'key'])
@Index('topic_list_idx', ['environmentId', 'id'])
@Index('topic_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('topic_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('topic_key_trgm_idx', { synchronize: false })
@Index('topic_name_trgm_idx', { synchronize: false })
export class Topic extends ChangingRow {
  @Column('text') key!: string;
  @Column('text', { nullable: true }) name!: string | null;
}
