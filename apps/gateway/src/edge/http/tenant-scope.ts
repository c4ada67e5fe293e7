import type { Database } from '@clarion/persistence';
import type { FastifyInstance } from 'fastify';

/**
 * Everything that runs for a caller, from the interceptors to the work after the commit, sees only rows of the caller's
 * environment: that of the key, or of the token of an inbox session. Other requests (probes, providers) have no
 * environment and run as the system.
 */
export function installTenantScope(server: FastifyInstance, database: Database): void {
  server.addHook('preHandler', ({ owner, inboxCaller, policy }, _reply, done) => {
    const caller = owner ?? inboxCaller;
    if (!caller) return done();
    const isAcross = policy?.acrossEnvironments && owner?.scope === 'admin';
    database.asTenant(caller.environmentId, isAcross ? () => database.asSystem(done) : done);
  });
  const { replica } = database;
  if (!replica) return;
  server.addHook('preHandler', ({ policy }, reply, done) => {
    if (!policy?.readsReplica) return done();
    void reply.header('Clarion-Data-Lag', replica.current ? replica.lagSeconds.toFixed(1) : '0');
    database.onReplica(done);
  });
}
