import { createLogger, exitOnFault, loadConfig, whenAskedToStop } from '@clarion/platform';
import { runGateway } from './run-gateway';

/** The gateway as a process of its own: engines come from the environment, migrations have run before. */
async function main(): Promise<void> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY']);
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'gateway', pretty: process.stdout.isTTY });
  const databaseUrl = config.DATABASE_URL!;
  const usesRedis = config.CLARION_QUEUE !== 'postgres' && config.REDIS_URL !== undefined;
  const gateway = await runGateway({
    config,
    databaseUrl,
    engine: usesRedis ? { kind: 'redis', url: config.REDIS_URL! } : { kind: 'postgres', url: databaseUrl },
    encryptionKeys: config.CLARION_ENCRYPTION_KEY!,
    logger,
  });
  logger.info({ url: gateway.url }, 'gateway is ready');
  // Whoever started this process waits for that word; on its own there is nobody to tell.
  process.send?.({ ready: gateway.url });
  whenAskedToStop(() => gateway.close());
}

main().catch(exitOnFault);
