import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditActorType, EnvironmentId, JsonObject } from '@clarion/contracts/core';

/** One change of the configuration or of a key. Rows are only added: a trigger refuses UPDATE, DELETE and TRUNCATE. */
@Entity('audit_log')
@Index('audit_log_list_idx', ['environmentId', 'id'])
@Index('audit_log_created_idx', ['environmentId', 'createdAt', 'id'])
export class AuditLogEntry {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') organizationId!: string;

  /** The environment that was changed, or whose part was. */
  @Column('uuid') environmentId!: EnvironmentId;
  @Column('text') actorType!: AuditActorType;

  /** Id and prefix of the key. */
  @Column('uuid', { nullable: true }) actorId!: string | null;
  @Column('text', { nullable: true }) actorName!: string | null;
  @Column('text') action!: string;
  @Column('text') resourceType!: string;
  @Column('text') resourceId!: string;

  /** The fields that changed, without secrets; null for what did not exist. */
  @Column('jsonb', { nullable: true }) before!: JsonObject | null;
  @Column('jsonb', { nullable: true }) after!: JsonObject | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
