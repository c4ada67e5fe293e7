import { Column, Entity, Index, Unique } from 'typeorm';
import type { JsonObject } from '@clarion/contracts/core';
import { ChangingRow } from '../tenancy/environment-row';

/** A customer of the caller's product, named by triggers. */
@Entity('tenant')
@Unique('tenant_identifier_key', ['environmentId', 'identifier'])
@Index('tenant_list_idx', ['environmentId', 'id'])
export class Tenant extends ChangingRow {
  @Column('text') identifier!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('jsonb', { nullable: true }) data!: JsonObject | null;
}
