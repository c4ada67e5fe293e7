import type { EnvironmentId } from '@clarion/contracts/core';
import {
  connectWhenAvailable,
  Database,
  directUrlFault,
  EnvironmentRepository,
  isDatabaseUnavailable,
  ReadReplica,
  schemaFault,
} from '@clarion/persistence';
import {
  Closers,
  type Config,
  encryptionKeyFault,
  FaultLog,
  type Health,
  type Logger,
  type Metrics,
  openTracing,
  refuseFaults,
  SecretBox,
  type Tracing,
} from '@clarion/platform';
import { backendFault, type QueueBackend, QueueConnection, type QueueOptions, RealtimeRelay } from '@clarion/queue';

export type ProcessContext = {
  config: Config;
  databaseUrl: string;
  queueBackend: QueueBackend;
  encryptionKeys: string;
  logger: Logger;
  metrics: Metrics;
  health: Health;
};

/** The context of a process with one role: the servers of its variables, which have been validated. */
export function processContext(own: Pick<ProcessContext, 'config' | 'logger' | 'metrics' | 'health'>): ProcessContext {
  const { DATABASE_URL, CLARION_DATABASE_DIRECT_URL, CLARION_ENCRYPTION_KEY, CLARION_QUEUE, REDIS_URL } = own.config;
  const directUrl = CLARION_DATABASE_DIRECT_URL ?? DATABASE_URL!;
  const usesRedis = CLARION_QUEUE !== 'postgres' && REDIS_URL !== undefined;
  return {
    ...own,
    databaseUrl: DATABASE_URL!,
    queueBackend: usesRedis ? { kind: 'redis', url: REDIS_URL } : { kind: 'postgres', url: directUrl },
    encryptionKeys: CLARION_ENCRYPTION_KEY!,
  };
}

const QUEUE_FAULT = 'A job failed, or the queue did. The sweeper offers the rows of lost jobs again.';
const NO_WRITES = 'The database cannot be written to. The process is not ready.';

export type Stores = {
  database: Database;
  queue: QueueOptions;
  queueConnection: QueueConnection;
  relay: RealtimeRelay;
  secrets: SecretBox;
  tracing: Tracing;
  close(): Promise<void>;
};

/** Throws for faults that an operator has to fix. On an error everything is closed again. */
export async function openStores(
  { config, databaseUrl, queueBackend, encryptionKeys, logger, metrics, health }: ProcessContext,
  name: string,
  { lookupsOnly = false, readsLists = false } = {},
): Promise<Stores> {
  const closers = new Closers();
  try {
    const faults = new FaultLog(logger);
    const queue: QueueOptions = {
      prefix: config.CLARION_QUEUE_PREFIX,
      // While a server is away, every job and every command meets the same fault.
      onError: (error) => faults.report(QUEUE_FAULT, error, isDatabaseUnavailable(error) ? {} : { err: error }),
      counts: metrics.queue,
    };
    const secrets = new SecretBox(encryptionKeys);
    const dataSource = await connectWhenAvailable(
      {
        url: databaseUrl,
        poolSize: config.CLARION_DATABASE_POOL,
        applicationName: `clarion-${name}`,
        lookupsOnly,
        onStatement: metrics.countStatement,
      },
      (error) => {
        health.waitFor(`the database: ${error.message}`);
        logger.warn({ err: error }, 'waiting for the database');
      },
    );
    closers.add(() => dataSource.destroy());
    const replica = readsLists ? await openReplica({ config, logger, metrics }, dataSource, name) : undefined;
    if (replica) {
      closers.add(() => replica.close());
      closers.add(metrics.watchReplica(() => replica.lagSeconds));
    }
    const database = new Database(dataSource, replica);
    const fault = await schemaFault(dataSource);
    refuseFaults([
      fault,
      fault ? undefined : encryptionKeyFault(secrets, await new EnvironmentRepository(database).sampleSealedKeys()),
      await backendFault(queueBackend, queue),
      queueBackend.kind === 'postgres' ? await directUrlFault(queueBackend.url) : undefined,
    ]);
    closers.add(metrics.watchPool(() => database.poolUse()));
    health.require('database', async () => {
      try {
        await database.checkWrites();
        faults.over(NO_WRITES, 'The database can be written to again.');
      } catch (error) {
        faults.report(NO_WRITES, error);
        throw error;
      }
    });
    const organizationOf = (environmentId: string) => database.organizations.of(environmentId as EnvironmentId);
    const queueConnection = await QueueConnection.open(queueBackend, { ...queue, organizationOf });
    closers.add(() => queueConnection.close());
    const relay = new RealtimeRelay(queueBackend, queue);
    closers.add(() => relay.close());
    const tracing = openTracing(config, name, logger);
    closers.add(() => tracing.close());
    return { database, queue, queueConnection, relay, secrets, tracing, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** The standby that answers lists, if one is configured. */
async function openReplica(
  { config, logger, metrics }: Pick<ProcessContext, 'config' | 'logger' | 'metrics'>,
  primary: Database['dataSource'],
  name: string,
): Promise<ReadReplica | undefined> {
  const { CLARION_DATABASE_READ_URL: url, CLARION_DATABASE_READ_LAG_SECONDS: mostLagSeconds } = config;
  if (url === undefined) return undefined;
  const replica = new ReadReplica(primary, {
    url,
    poolSize: config.CLARION_DATABASE_POOL,
    applicationName: `clarion-${name}-lists`,
    onStatement: metrics.countStatement,
    mostLagSeconds,
    onChange: ({ isUsed, why }) =>
      isUsed
        ? logger.info(`lists are read from the read replica: ${why}`)
        : logger.warn(`lists are read from the primary, not from the read replica: ${why}`),
  });
  await replica.start();
  return replica;
}
