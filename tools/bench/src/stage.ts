import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Pool } from 'pg';
import type { EnvironmentId } from '@clarion/contracts';
import { findRedisServer, startEmbeddedPostgres, startEmbeddedRedis } from '@clarion/embedded';
import { EnvironmentAdmin } from '@clarion/gateway';
import { createDataSource, Database, EnvironmentRepository, migrate } from '@clarion/persistence';
import { generateApiKey, SecretBox } from '@clarion/platform';
import { freePort } from '@clarion/testing';
import { type Process, startProcess } from './processes';
import type { Role } from './roles';

/** One server for the whole run: real Postgres with fsync on, real Redis if there is one. */
export type Stage = {
  /** False without a redis-server on PATH: then the queues are in Postgres. */
  hasRedis: boolean;
  /** A migrated database with the default environment, and a gateway on it in a separate process. */
  open(name: string, options?: SceneOptions): Promise<Scene>;
  /** Runs this before the servers stop, also when the run is interrupted. */
  onStop(work: () => Promise<unknown>): void;
  stop(): Promise<void>;
};

export type SceneOptions = {
  /** Additional variables for every process of the scene. */
  variables?: Record<string, string>;
  /** False when the caller starts the gateway. */
  gateway?: boolean;
  /** The built checkout whose services run on this scene; by default the one of this benchmark. */
  tree?: Tree | undefined;
};

/** A built checkout of the repository; `programs` is the folder with its compiled benchmarks. */
export type Tree = { folder: string; programs: string; commit: string };

export type Scene = {
  databaseUrl: string;
  database: Database;
  redisUrl: string | undefined;
  /** The queue prefix of this scene. */
  prefix: string;
  environment: { id: EnvironmentId };
  key: string;
  url: string;
  /** The environment variables of the processes of this scene. */
  variables: Record<string, string>;
  /** Resident memory of the gateway process, in MiB. */
  gatewayMemory(): number;
  /** Starts these roles together in another process. */
  start(...roles: Role[]): Promise<Process>;
  /** Ends the processes of this scene and drops its database; closing the stage does it otherwise. */
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
  let opened = 0;
  const open = async (kind: string, { variables: more, gateway = true, tree }: SceneOptions = {}): Promise<Scene> => {
    // A kind is opened several times; jobs of an earlier scene may still be in Redis.
    const name = `${kind}_${(opened += 1)}`;
    const databaseUrl = await createDatabase(postgres.url, name);
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 4 }).initialize();
    const database = new Database(dataSource);
    const keys = SecretBox.generateKey();
    const { environment, key } = tree
      ? await prepareByCommand(tree, database, { DATABASE_URL: databaseUrl, CLARION_ENCRYPTION_KEY: keys })
      : await prepare(database, keys);
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
      if (!dataSource.isInitialized) return;
      await dataSource.destroy();
      // Without this, autovacuum of this database would count as work of the next scene.
      await onServer(postgres.url, `DROP DATABASE ${name} WITH (FORCE)`);
    };
    closers.push(close);
    const start = async (...roles: Role[]): Promise<Process> => {
      const { process: started } = await startProcess('roles-process', roles, variables, tree?.programs);
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
  return { hasRedis: redis !== undefined, open, onStop: (work) => void closers.push(work), stop };
}

type Prepared = Pick<Scene, 'environment' | 'key'>;

async function prepare(database: Database, keys: string): Promise<Prepared> {
  await migrate(database.dataSource);
  const admin = new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(keys));
  return (await admin.ensureDefaults())!;
}

/** The command line of the other checkout knows its schema. */
async function prepareByCommand(tree: Tree, database: Database, variables: Record<string, string>): Promise<Prepared> {
  const key = generateApiKey('bench');
  await promisify(execFile)(process.execPath, [join(tree.folder, 'apps/standalone/dist/clarion.js'), 'migrate'], {
    env: { ...variables, CLARION_API_KEY: key },
  });
  const [environment] = await database.query<Scene['environment']>('SELECT id FROM environment');
  return { environment: environment!, key };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export function openPool(scene: Scene, size: number): Pool {
  const pool = new Pool({ connectionString: scene.databaseUrl, max: size });
  // When the run is interrupted the server ends first, and idle connections report errors.
  pool.on('error', () => undefined);
  return pool;
}
