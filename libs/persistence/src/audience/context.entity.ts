import { Column, Entity, Index, Unique } from 'typeorm';
import type { JsonObject } from '@clarion/contracts/core';
import { ChangingRow } from '../tenancy/environment-row';

/** What a notification was sent about, `type:id` in lists. */
@Entity('context')
@Unique('context_identifier_key', ['environmentId', 'type', 'contextId'])
@Index('context_list_idx', ['environmentId', 'id'])
@Index('context_created_idx', ['environmentId', 'createdAt', 'id'])
@Index('context_updated_idx', ['environmentId', 'updatedAt', 'id'])
@Index('context_id_idx', ['environmentId', 'contextId'])
@Index('context_key_trgm_idx', { synchronize: false })
export class Context extends ChangingRow {
  @Column('text') type!: string;
  @Column('text') contextId!: string;
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
}
