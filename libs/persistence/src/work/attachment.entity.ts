import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentId, TriggerId } from '@clarion/contracts/core';

@Entity('attachment')
@Index('attachment_trigger_idx', ['environmentId', 'triggerId'])
export class Attachment {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') environmentId!: EnvironmentId;
  @Column('uuid') triggerId!: TriggerId;
  @Column('smallint') position!: number;
  @Column('text') name!: string;
  @Column('text') mime!: string;
  @Column('bytea') content!: Buffer;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
