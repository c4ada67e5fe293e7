import { contextKey, contextOfKey, type EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Context, Tenant } from '../entities';

/** The tenant and the contexts that a notification names, and the variables of its environment. */
export type Surroundings = {
  /** A secret is a mask. */
  variables?: Record<string, string>;
  tenant?: Pick<Tenant, 'identifier' | 'name' | 'data'>;
  contexts: Pick<Context, 'type' | 'contextId' | 'data'>[];
};

type Named = { environmentId: EnvironmentId; notification: { tenant: string | null; contextKeys: string[] | null } };

const NOTHING: Surroundings = { contexts: [] };

/** Tenants and contexts of running notifications, for templates and conditions. */
export class SurroundingsRepository extends Repository {
  /** At most one statement for each kind, and none for notifications that name neither. */
  async load(items: Named[]): Promise<(item: Named) => Surroundings> {
    const tenants = items.filter(({ notification }) => notification.tenant !== null);
    const contexts = items.filter(({ notification }) => notification.contextKeys?.length);
    if (tenants.length === 0 && contexts.length === 0) return () => NOTHING;
    const [tenantRows, contextRows] = await Promise.all([
      tenants.length === 0
        ? []
        : this.database.rows<Pick<Tenant, 'environmentId' | 'identifier' | 'name' | 'data'>>(
            `SELECT DISTINCT t.environment_id, t.identifier, t.name, t.data
               FROM unnest($1::uuid[], $2::text[]) AS i (environment_id, identifier)
               JOIN tenant t ON t.environment_id = i.environment_id AND t.identifier = i.identifier`,
            [tenants.map((item) => item.environmentId), tenants.map((item) => item.notification.tenant)],
          ),
      contexts.length === 0
        ? []
        : this.database.rows<Pick<Context, 'environmentId' | 'type' | 'contextId' | 'data'>>(
            `SELECT DISTINCT c.environment_id, c.type, c.context_id, c.data
               FROM json_to_recordset($1::json) AS i ("environmentId" uuid, type text, id text)
               JOIN context c ON c.environment_id = i."environmentId" AND c.type = i.type AND c.context_id = i.id`,
            [JSON.stringify(contexts.flatMap(contextNames))],
          ),
    ]);
    const tenantOf = new Map(tenantRows.map((row) => [`${row.environmentId} ${row.identifier}`, row]));
    const contextOf = new Map(
      contextRows.map((row) => [`${row.environmentId} ${contextKey({ type: row.type, id: row.contextId })}`, row]),
    );
    return ({ environmentId, notification }) => ({
      tenant: notification.tenant === null ? undefined : tenantOf.get(`${environmentId} ${notification.tenant}`),
      contexts: (notification.contextKeys ?? []).flatMap((key) => contextOf.get(`${environmentId} ${key}`) ?? []),
    });
  }
}

const contextNames = ({
  environmentId,
  notification,
}: Named): { environmentId: EnvironmentId; type: string; id: string }[] =>
  notification.contextKeys!.map((key) => ({ environmentId, ...contextOfKey(key) }));
