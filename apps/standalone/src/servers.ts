import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type EmbeddedRedisOptions,
  findEmbeddedRedis,
  findRedisServer,
  readOrCreateSecret,
  startEmbeddedPostgres,
  startEmbeddedRedis,
} from '@clarion/embedded';
import { type Config, OperatorError, SecretBox } from '@clarion/platform';
import type { QueueBackend } from '@clarion/queue';

/** The servers of this run, and how to stop those that were started for it. */
export type Servers = {
  databaseUrl: string;
  /** Postgres itself, when `databaseUrl` leads to a pooler. */
  directUrl: string;
  queue: QueueBackend;
  encryptionKeys: string;
  /** Shown at the start, e.g. "Postgres (embedded in .clarion), Redis (embedded)". */
  description: string;
  isEmbedded: boolean;
  /** Resolves when the embedded Postgres dies; Clarion cannot continue without it. */
  died: Promise<string>;
  stop(): Promise<void>;
};

type Log = (line: string) => void;

type OpenDatabase = Pick<Servers, 'databaseUrl' | 'directUrl' | 'encryptionKeys' | 'isEmbedded' | 'stop' | 'died'>;

/** The database of DATABASE_URL, or the embedded one, started if it is not running. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.DATABASE_URL) {
    const never = new Promise<string>(() => undefined);
    const keys = config.CLARION_ENCRYPTION_KEY!;
    return {
      databaseUrl: config.DATABASE_URL,
      directUrl: config.CLARION_DATABASE_DIRECT_URL ?? config.DATABASE_URL,
      encryptionKeys: keys,
      isEmbedded: false,
      died: never,
      stop: async () => undefined,
    };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.CLARION_DATA_DIR, log });
  const file = join(config.CLARION_DATA_DIR, 'encryption.key');
  return {
    databaseUrl: postgres.url,
    directUrl: postgres.url,
    // Generated once and stored next to the data that it protects: losing either makes the other useless.
    encryptionKeys: config.CLARION_ENCRYPTION_KEY ?? readOrCreateSecret(file, () => SecretBox.generateKey()),
    isEmbedded: true,
    died: postgres.died.then((error) => `Postgres: ${String(error)}`),
    stop: () => postgres.stop(),
  };
}

/** The queue backend of a running installation; undefined when its embedded Redis is not running. */
export function findQueueBackend(config: Config, databaseUrl: string): QueueBackend | undefined {
  if (config.CLARION_QUEUE === 'postgres') return { kind: 'postgres', url: databaseUrl };
  const url = config.REDIS_URL ?? findEmbeddedRedis(config.CLARION_DATA_DIR);
  if (url !== undefined) return { kind: 'redis', url };
  return config.CLARION_QUEUE === 'redis' || findRedisServer() ? undefined : { kind: 'postgres', url: databaseUrl };
}

/** Uses Redis if there is one, else the Postgres queue backend on the same database. */
export async function openServers(config: Config, log: Log): Promise<Servers> {
  const database = await openDatabase(config, log);
  const where = database.isEmbedded ? `embedded in ${config.CLARION_DATA_DIR}` : 'DATABASE_URL';
  try {
    const queue = await openQueueBackend(config, database.directUrl, log);
    return {
      ...database,
      queue: queue.backend,
      description: `Postgres (${where}), queue on ${queue.description}`,
      async stop() {
        await queue.stop();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function openQueueBackend(config: Config, url: string, log: Log) {
  const nothing = { stop: async () => undefined };
  const onPostgres = {
    backend: { kind: 'postgres', url } as QueueBackend,
    description: 'Postgres',
    ...nothing,
  };
  if (config.CLARION_QUEUE === 'postgres') return onPostgres;
  if (config.REDIS_URL) {
    return {
      backend: { kind: 'redis', url: config.REDIS_URL } as QueueBackend,
      description: 'Redis (REDIS_URL)',
      ...nothing,
    };
  }
  const binary = findRedisServer();
  if (binary) {
    const redis = await keepRedis({ dataDir: config.CLARION_DATA_DIR, binary, log });
    return {
      backend: { kind: 'redis', url: redis.url } as QueueBackend,
      description: 'Redis (embedded)',
      stop: redis.stop,
    };
  }
  if (config.CLARION_QUEUE === 'redis') {
    throw new OperatorError('CLARION_QUEUE=redis, but REDIS_URL is not set and there is no redis-server on the PATH');
  }
  return onPostgres;
}

const RESTART_PAUSE_MS = 500;

/** Restarts a Redis that dies. Meanwhile the rows hold the work, and the gateway accepts triggers without it. */
async function keepRedis(options: EmbeddedRedisOptions): Promise<{ url: string; stop(): Promise<void> }> {
  let current = await startEmbeddedRedis(options);
  let stopping = false;
  const { url, port } = current;
  const watch = async (): Promise<void> => {
    while (!stopping) {
      options.log?.((await current.died).message);
      await delay(RESTART_PAUSE_MS);
      if (stopping) return;
      const next = await startEmbeddedRedis({ ...options, port }).catch((error: unknown) =>
        options.log?.(String(error)),
      );
      if (next) current = next;
    }
  };
  void watch();
  return {
    url,
    async stop() {
      stopping = true;
      await current.stop();
    },
  };
}
