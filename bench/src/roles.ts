import type { Channel } from '@clarion/contracts';
import { startDelivery } from '@clarion/delivery';
import { runGateway } from '@clarion/gateway';
import { createLogger, Health, loadConfig, Metrics } from '@clarion/platform';
import { openResources, type ProcessContext } from '@clarion/runtime';
import { startEngine } from '@clarion/workflow';

export type Role = 'gateway' | 'engine' | Channel;

/** Runs these roles in this process over one set of connections; other settings come from the environment. */
export async function startRoles(
  roles: Role[],
  environment?: Record<string, string>,
): Promise<{ stop(): Promise<void> }> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY'], environment);
  const databaseUrl = config.DATABASE_URL!;
  const context: ProcessContext = {
    config,
    databaseUrl,
    queueBackend: config.REDIS_URL ? { kind: 'redis', url: config.REDIS_URL } : { kind: 'postgres', url: databaseUrl },
    encryptionKeys: config.CLARION_ENCRYPTION_KEY!,
    logger: createLogger({ level: config.LOG_LEVEL, name: roles.join('+') }),
    metrics: new Metrics(config.CLARION_METRICS_ENVIRONMENTS),
    health: new Health(),
  };
  const resources = await openResources(context, roles.join('+'));
  const stops = [() => resources.close()];
  for (const role of roles) {
    if (role === 'gateway') {
      const gateway = await runGateway(context);
      stops.push(() => gateway.close());
    } else {
      const running = role === 'engine' ? await startEngine(resources) : await startDelivery(role, resources);
      stops.push(() => running.stop());
    }
  }
  return {
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}
