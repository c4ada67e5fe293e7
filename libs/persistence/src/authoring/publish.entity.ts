import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditActorType, EnvironmentId, JsonObject, PublishOrigin } from '@clarion/contracts/core';
import { Environment } from '../tenancy/environment.entity';
import { Reference } from '../schema/reference';

/** One change of the resources of an environment as a whole: the history of publishes. */
@Entity('publish')
@Index('publish_undoes_key', ['environmentId', 'undoes'], { unique: true })
@Check('publish_origin_check', `origin IN ('publish', 'sync', 'files', 'undo')`)
export class Publish {
  @Reference(() => Environment, { primary: true }) environmentId!: EnvironmentId;
  @PrimaryColumn('uuid') id!: string;

  /** null when the resources came from files or from an earlier publish. */
  @Column('uuid', { nullable: true }) sourceEnvironmentId!: EnvironmentId | null;
  @Column('text') origin!: PublishOrigin;

  /** The publish that this one has undone. */
  @Column('uuid', { nullable: true }) undoes!: string | null;
  @Column('text') actorType!: AuditActorType;
  @Column('uuid', { nullable: true }) actorId!: string | null;
  @Column('text', { nullable: true }) actorName!: string | null;

  /** What was changed, field by field, as the history shows it. */
  @Column('jsonb') resources!: JsonObject[];

  /** What the changed resources were before, and a fingerprint of what they became. */
  @Column('jsonb') replaced!: JsonObject[];
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
}
