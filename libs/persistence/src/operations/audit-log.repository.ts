import { type EnvironmentId, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { AuditLogEntry } from '../entities';
import { type CursorPage, type CursorResult, type OrderColumn, readKeyset } from '../sql/keyset';

export type NewAuditLogEntry = Omit<AuditLogEntry, 'id' | 'createdAt'>;

export type AuditLogFilter = {
  action?: string;
  resourceType?: string;
  resourceIds?: string[];
  actorType?: string;
  actorId?: string;
  createdAfter?: Date;
  createdBefore?: Date;
};

export type AuditLogPage = CursorPage & { orderBy: Exclude<OrderColumn, 'updated_at'> };

/** Only adds and reads: the table refuses everything else. */
export class AuditLogRepository extends Repository {
  async insert(entries: NewAuditLogEntry[]): Promise<void> {
    await this.database.query(
      `INSERT INTO audit_log (id, organization_id, environment_id, actor_type, actor_id, actor_name, action,
                              resource_type, resource_id, before, after, request_id)
       SELECT id, "organizationId", "environmentId", "actorType", "actorId", "actorName", action, "resourceType",
              "resourceId", before, after, "requestId"
         FROM jsonb_to_recordset($1::jsonb) AS e (id uuid, "organizationId" uuid, "environmentId" uuid,
           "actorType" text, "actorId" uuid, "actorName" text, action text, "resourceType" text,
           "resourceId" text, before jsonb, after jsonb, "requestId" text)`,
      [JSON.stringify(entries.map((entry) => ({ ...entry, id: newId() })))],
    );
  }

  list(environmentId: EnvironmentId, filter: AuditLogFilter, page: AuditLogPage): Promise<CursorResult<AuditLogEntry>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    const add = (condition: string, value: unknown): void => {
      if (value !== undefined) where.push(`t.${condition} ($${parameters.push(value)})`);
    };
    add('action =', filter.action);
    add('resource_type =', filter.resourceType);
    add('resource_id = ANY', filter.resourceIds);
    add('actor_type =', filter.actorType);
    add('actor_id =', filter.actorId);
    add('created_at >=', filter.createdAfter);
    add('created_at <=', filter.createdBefore);
    return readKeyset<AuditLogEntry>(
      this.database,
      { name: 'audit-log', select: 't.*', from: 'audit_log t', where, parameters, orderBy: page.orderBy },
      page,
    );
  }
}
