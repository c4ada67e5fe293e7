import type { UnchangingOrder } from '@clarion/contracts';
import { type AuditResource, type EnvironmentId, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { AuditLogEntry } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';

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

export type AuditLogPage = CursorPage<UnchangingOrder>;

const UUID = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/** What people call an entry by: the names that its resource and its key have now. */
export type NamedAuditLogEntry = AuditLogEntry & { resourceName: string | null; keyName: string | null };

/** The name of each type whose entries have the id of its row; `translation` is named by what it is of. */
const NAMES: Partial<Record<AuditResource, string>> = {
  api_key: 'SELECT name FROM api_key r WHERE r.id = row.id',
  environment: 'SELECT name FROM environment r WHERE r.id = row.id',
  environment_variable: 'SELECT key FROM environment_variable r WHERE r.id = row.id',
  integration: 'SELECT name FROM integration r WHERE r.id = row.id',
  layout: 'SELECT name FROM layout r WHERE r.id = row.id',
  tenant: 'SELECT name FROM tenant r WHERE r.id = row.id',
  translation: `
    SELECT concat_ws(', ', w.name, l.name, r.locale) FROM translation r
      LEFT JOIN workflow w ON w.id = r.workflow_id LEFT JOIN layout l ON l.id = r.layout_id
     WHERE r.id = row.id`,
  webhook_endpoint: 'SELECT url FROM webhook_endpoint r WHERE r.id = row.id',
  workflow: 'SELECT name FROM workflow r WHERE r.id = row.id',
};

/** A row of another environment has no name here, except the environment of the entry. */
const NAME = `
  CASE t.resource_type ${Object.entries(NAMES)
    .map(([type, read]) => {
      const own = type === 'environment' ? 'r.id' : 'r.environment_id';
      return `WHEN '${type}' THEN (${read} AND ${own} = t.environment_id)`;
    })
    .join(' ')} END`;

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

  list(
    environmentId: EnvironmentId,
    filter: AuditLogFilter,
    page: AuditLogPage,
  ): Promise<CursorResult<NamedAuditLogEntry>> {
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
    const row = `(SELECT CASE WHEN t.resource_id ~ ${UUID} THEN t.resource_id::uuid END AS id) row`;
    const name = `(SELECT ${NAME} FROM ${row})`;
    const key = `(SELECT name FROM api_key WHERE id = t.actor_id AND environment_id = t.environment_id)`;
    const select = `t.*, ${name} AS resource_name, ${key} AS key_name`;
    return readKeyset(this.database, { name: 'audit-log', select, from: 'audit_log t', where, parameters }, page);
  }
}
