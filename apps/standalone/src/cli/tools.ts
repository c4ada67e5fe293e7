import { DataDirInUseError, lockDataDir } from '@clarion/embedded';
import type { EnvironmentAdmin } from '@clarion/gateway/command-line';
import { Database, EnvironmentRepository, openDataSource, schemaFault } from '@clarion/persistence';
import { type Config, loadConfig, refuseFaults, SecretBox } from '@clarion/platform';
import type { QueueBackend, QueueOptions } from '@clarion/queue';
import { findQueueBackend, openDatabase } from '../servers';

type DataSource = Awaited<ReturnType<typeof openDataSource>>;

/** The stores of the operator's installation, with the database's own authority over all environments. */
export type Tools = {
  config: Config;
  dataSource: DataSource;
  database: Database;
  environments: EnvironmentRepository;
  secrets: SecretBox;
  /** Undefined while the embedded Redis is not running. */
  queueBackend: QueueBackend | undefined;
  queueOptions: QueueOptions;
  /** Loads the gateway's rules for organizations, environments and keys. */
  admin(): Promise<EnvironmentAdmin>;
};

export type Opened = { tools: Tools; close(): Promise<void> };

/** Connects to the database of DATABASE_URL, or to the embedded one, which is started if it is not running. */
export async function openTools({ anySchema }: { anySchema: boolean }): Promise<Opened> {
  const config = loadConfig();
  const lock = lockUnlessRunning(config);
  const opened = await openDatabase(config, () => undefined);
  let dataSource: DataSource | undefined;
  const close = async (): Promise<void> => {
    await dataSource?.destroy();
    await opened.stop();
    lock?.release();
  };
  try {
    dataSource = await openDataSource({ url: opened.directUrl, poolSize: 3, applicationName: 'clarion-cli' });
    if (!anySchema) refuseFaults([await schemaFault(dataSource)]);
  } catch (error) {
    await close();
    throw error;
  }
  const database = new Database(dataSource);
  const environments = new EnvironmentRepository(database);
  const secrets = new SecretBox(opened.encryptionKeys);
  const admin = async (): Promise<EnvironmentAdmin> => {
    const gateway = await import('@clarion/gateway/command-line');
    return new gateway.EnvironmentAdmin(database, environments, secrets);
  };
  const queueBackend = findQueueBackend(config, opened.databaseUrl);
  const queueOptions = { prefix: config.CLARION_QUEUE_PREFIX, onError: () => undefined };
  const tools = { config, dataSource, database, environments, secrets, admin, queueBackend, queueOptions };
  return { tools, close };
}

/** Keeps `npm start` from using a server that ends with this command. */
function lockUnlessRunning(config: Config): { release(): void } | undefined {
  if (config.DATABASE_URL) return undefined;
  try {
    return lockDataDir(config.CLARION_DATA_DIR);
  } catch (error) {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  }
}
