import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { EnvironmentAdmin } from '@clarion/gateway';
import { createDataSource, Database, type Environment, EnvironmentRepository, migrate } from '@clarion/persistence';
import { findRedisServer, SecretBox, startEmbeddedPostgres, startEmbeddedRedis } from '@clarion/platform';
import { type Process, startProcess } from './processes';
import type { Role } from './roles';

/** One server for the whole run: real Postgres with fsync on, real Redis if there is one. */
export type Stage = {
  /** False without a redis-server on PATH: then the queues are in Postgres. */
  hasRedis: boolean;
  /** A migrated database with the default environment, and a gateway on it in a separate process. */
  open(name: string, options?: SceneOptions): Promise<Scene>;
  stop(): Promise<void>;
};

export type SceneOptions = {
  /** Additional variables for every process of the scene. */
  variables?: Record<string, string>;
  /** False when the caller starts the gateway. */
  gateway?: boolean;
};

export type Scene = {
  databaseUrl: string;
  database: Database;
  redisUrl: string | undefined;
  /** The queue prefix of this scene. */
  prefix: string;
  environment: Environment;
  key: string;
  url: string;
  /** The environment variables of the processes of this scene. */
  variables: Record<string, string>;
  /** Resident memory of the gateway process, in MiB. */
  gatewayMemory(): number;
  /** Starts these roles together in another process. */
  start(...roles: Role[]): Promise<Process>;
  /** Ends the processes of this scene; closing the stage does it otherwise. */
  close(): Promise<void>;
};

export async function setStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'clarion-bench-'));
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB', max_connections: '200' };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const binary = findRedisServer();
  const redis = binary ? await startEmbeddedRedis({ dataDir, binary }) : undefined;
  const closers: (() => Promise<unknown>)[] = [
    async () => {
      await redis?.stop();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  ];
  const stop = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  process.once('SIGINT', () => void stop().then(() => process.exit(130)));
  process.once('SIGTERM', () => void stop().then(() => process.exit(143)));
  const open = async (name: string, { variables: more, gateway = true }: SceneOptions = {}): Promise<Scene> => {
    const databaseUrl = await createDatabase(postgres.url, name);
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 4 }).initialize();
    await migrate(dataSource);
    const database = new Database(dataSource);
    const keys = SecretBox.generateKey();
    const admin = new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(keys));
    const { environment, key } = (await admin.ensureDefaults())!;
    const port = await freePort();
    const variables = {
      DATABASE_URL: databaseUrl,
      CLARION_ENCRYPTION_KEY: keys,
      CLARION_QUEUE: redis ? 'redis' : 'postgres',
      ...(redis && { REDIS_URL: redis.url }),
      CLARION_QUEUE_PREFIX: name,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      // The benchmark measures the machine, not the rate limit.
      CLARION_RATE_LIMIT_TRIGGER: '100000000',
      CLARION_RATE_LIMIT_CONFIGURATION: '100000000',
      CLARION_RATE_LIMIT_GLOBAL: '100000000',
      ...more,
    };
    const processes: Process[] = [];
    const close = async (): Promise<void> => {
      for (const one of processes.splice(0).reverse()) await one.stop();
      if (dataSource.isInitialized) await dataSource.destroy();
    };
    closers.push(close);
    const start = async (...roles: Role[]): Promise<Process> => {
      const { process: started } = await startProcess('roles-process', roles, variables);
      processes.push(started);
      return started;
    };
    const itself = gateway ? await start('gateway') : undefined;
    return {
      databaseUrl,
      database,
      redisUrl: redis?.url,
      prefix: name,
      environment,
      key,
      url: `http://127.0.0.1:${port}`,
      variables,
      gatewayMemory: () => itself!.memory(),
      start,
      close,
    };
  };
  return { hasRedis: redis !== undefined, open, stop };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export function openPool(scene: Scene, size: number): Pool {
  const pool = new Pool({ connectionString: scene.databaseUrl, max: size });
  // When the run is interrupted the server ends first, and idle connections report errors.
  pool.on('error', () => undefined);
  return pool;
}
