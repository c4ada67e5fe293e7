import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type AuditActorType, type AuditResource, type EnvironmentId, mapInSlices } from '@clarion/contracts';
import { AuditLogRepository, type KeyOwner } from '@clarion/persistence';
import { logFields } from '@clarion/platform';
import { changedFields } from './changed-fields';

/** The actor of a change: an API key, the command line, or the first start. */
export type AuditActor = KeyOwner | Exclude<AuditActorType, 'key'>;

export type EnvironmentRef = { organizationId: string; environmentId: EnvironmentId };

/** The stored rows before and after a change. Without `before` the resource was created, without `after` deleted. */
type AuditChange = {
  resource: AuditResource;
  id: string;
  /** The id names a person or what belongs to one. */
  isPersonal?: boolean;
  verb?: 'revoked' | 'erased' | 'read' | 'rotated';
  before?: object;
  after?: object;
};

/** Stands for a name or address of a person, which an erasure could not remove from the audit log. */
export const personalHash = (environmentId: EnvironmentId, text: string): string =>
  createHash('sha256').update(`${environmentId}:${text}`).digest('hex');

/** Must be called in the transaction of the change, so that the change and its record are committed together. */
@Injectable()
export class AuditLog {
  constructor(private readonly entries: AuditLogRepository) {}

  record(owner: KeyOwner, change: AuditChange): Promise<void> {
    return this.recordIn(owner, owner, change);
  }

  recordIn(actor: AuditActor, environment: EnvironmentRef, change: AuditChange): Promise<void> {
    return this.recordMany(actor, environment, [change]);
  }

  async recordMany(
    actor: AuditActor,
    { organizationId, environmentId }: EnvironmentRef,
    changes: AuditChange[],
  ): Promise<void> {
    const isKey = typeof actor === 'object';
    const requestId = logFields()['reqId'];
    const recorded = await mapInSlices(changes, ({ resource, id, isPersonal, verb, before, after }) => {
      const changed = changedFields(before, after);
      // An update that changes no field is not recorded.
      if (!changed) return [];
      return [
        {
          organizationId,
          environmentId,
          actorType: isKey ? ('key' as const) : actor,
          actorId: isKey ? actor.keyId : null,
          actorName: isKey ? actor.keyPrefix : null,
          action: `${resource}.${verb ?? (before ? (after ? 'updated' : 'deleted') : 'created')}`,
          resourceType: resource,
          resourceId: isPersonal ? personalHash(environmentId, id) : id,
          ...changed,
          requestId: typeof requestId === 'string' ? requestId : null,
        },
      ];
    });
    const entries = recorded.flat();
    if (entries.length > 0) await this.entries.insert(entries);
  }
}
