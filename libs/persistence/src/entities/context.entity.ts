import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { JsonObject } from '@clarion/contracts';
import { Environment } from './environment.entity';

/** What a notification was sent about, `type:id` in lists. */
@Entity('context')
@Unique('context_identifier_key', ['environmentId', 'type', 'contextId'])
export class Context {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'context_pkey' })
  id!: string;

  @ForeignKey(() => Environment, { name: 'context_environment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  environmentId!: string;

  @Column('text')
  type!: string;

  @Column('text')
  contextId!: string;

  @Column('jsonb', { nullable: true })
  data!: JsonObject | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
