import { Injectable } from '@nestjs/common';
import type { AuditActorType, AuditResource, EnvironmentId } from '@clarion/contracts';
import { AuditLogRepository, type KeyOwner } from '@clarion/persistence';
import { logFields } from '@clarion/platform';
import { changedFields } from './changed-fields';

/** Who changes something: a key, the command line, or the first start. */
export type AuditActor = KeyOwner | Exclude<AuditActorType, 'key'>;

/** The environment that is changed, or whose part is. */
export type EnvironmentRef = { organizationId: string; environmentId: EnvironmentId };

/** The resource before and after; without `before` it was created, without `after` deleted. Rows as they are stored. */
export type AuditChange = {
  resource: AuditResource;
  id: string;
  verb?: 'revoked';
  before?: object;
  after?: object;
};

/**
 * The record of every change of the configuration and of keys. Call it in the transaction of the change, so that there
 * is neither a change without its record nor a record without its change.
 */
@Injectable()
export class AuditLog {
  constructor(private readonly entries: AuditLogRepository) {}

  /** In the environment of the key. */
  record(owner: KeyOwner, change: AuditChange): Promise<void> {
    return this.recordIn(owner, owner, change);
  }

  async recordIn(
    actor: AuditActor,
    { organizationId, environmentId }: EnvironmentRef,
    { resource, id, verb, before, after }: AuditChange,
  ): Promise<void> {
    const changed = changedFields(before, after);
    // An update that leaves everything as it was is no change.
    if (!changed) return;
    const isKey = typeof actor === 'object';
    const requestId = logFields()['reqId'];
    await this.entries.insert({
      organizationId,
      environmentId,
      actorType: isKey ? 'key' : actor,
      actorId: isKey ? actor.keyId : null,
      actorName: isKey ? actor.keyPrefix : null,
      action: `${resource}.${verb ?? (before ? (after ? 'updated' : 'deleted') : 'created')}`,
      resourceType: resource,
      resourceId: id,
      ...changed,
      requestId: typeof requestId === 'string' ? requestId : null,
    });
  }
}
