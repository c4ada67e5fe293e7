import { createLogger, exitOnFault, loadConfig, whenAskedToStop } from '@clarion/platform';
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
  const databaseUrl = config.DATABASE_URL!;
  const usesRedis = config.CLARION_QUEUE !== 'postgres' && config.REDIS_URL !== undefined;
  const resources = await openResources(
    {
      config,
      databaseUrl,
      engine: usesRedis ? { kind: 'redis', url: config.REDIS_URL! } : { kind: 'postgres', url: databaseUrl },
      encryptionKeys: config.CLARION_ENCRYPTION_KEY!,
      logger,
    },
    name,
  );
  const role = await start(resources).catch(async (error: unknown) => {
    await resources.close();
    throw error;
  });
  logger.info(`${name} is ready`);
  // Whoever started this process waits for that word; on its own there is nobody to tell.
  process.send?.({ ready: name });
  whenAskedToStop(async () => {
    await role.stop();
    await resources.close();
  });
}
