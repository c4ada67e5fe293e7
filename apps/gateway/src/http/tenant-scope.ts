import type { Database } from '@clarion/persistence';
import type { FastifyInstance } from 'fastify';

/**
 * Everything that is done for a caller, from the interceptors to what follows the commit, sees the rows of the caller's
 * environment only. Requests without a key (probes, providers) name no environment and run as the system.
 */
export function installTenantScope(server: FastifyInstance, database: Database): void {
  server.addHook('preHandler', ({ owner, policy }, _reply, done) => {
    if (!owner || (policy?.acrossEnvironments && owner.scope === 'admin')) done();
    else database.asTenant(owner.environmentId, done);
  });
}
