import {
  createLogger,
  exitOnFault,
  Health,
  loadConfig,
  Metrics,
  openObserveServer,
  OperatorError,
  whenAskedToStop,
} from '@clarion/platform';
import { openResources, type Resources } from './resources';

/** A role that has started. Stopping it takes no more work, finishes or gives back what it has, and lets go. */
export type RunningRole = { stop(): Promise<void> };

/** A role as a process of its own: engines come from the environment, migrations have run before. */
export function runRole(name: string, start: (resources: Resources) => Promise<RunningRole>): void {
  main(name, start).catch(exitOnFault);
}

async function main(name: string, start: (resources: Resources) => Promise<RunningRole>): Promise<void> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY']);
  const logger = createLogger({ level: config.LOG_LEVEL, name, pretty: process.stdout.isTTY });
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  const health = new Health();
  const closers: (() => Promise<unknown> | void)[] = [];
  // From the first moment on: a process that waits for its database is to be stopped like any other.
  const stop = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  whenAskedToStop(stop, { config, health });
  metrics.exportProcess();
  if (config.CLARION_OBSERVE_PORT !== undefined) {
    const { CLARION_OBSERVE_PORT: port, HOST: host } = config;
    const variable = 'CLARION_OBSERVE_PORT';
    const server = await openObserveServer({ port, host, variable, health, metrics, otherwise: 404 });
    closers.push(() => server.close());
  }
  const databaseUrl = config.DATABASE_URL!;
  const usesRedis = config.CLARION_QUEUE !== 'postgres' && config.REDIS_URL !== undefined;
  const resources = await openResources(
    {
      config,
      databaseUrl,
      engine: usesRedis ? { kind: 'redis', url: config.REDIS_URL! } : { kind: 'postgres', url: databaseUrl },
      encryptionKeys: config.CLARION_ENCRYPTION_KEY!,
      logger,
      metrics,
      health,
    },
    name,
  );
  closers.push(() => resources.close());
  const role = await start(resources);
  closers.push(() => role.stop());
  closers.push(health.watchProgress(logger, (reason) => exitOnFault(new OperatorError(`${reason}; ending`))));
  health.started();
  logger.info(`${name} is ready`);
  // Whoever started this process waits for that word; on its own there is nobody to tell.
  process.send?.({ ready: name });
}
