import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { EnvironmentAdmin } from '@clarion/gateway';
import { createDataSource, Database, type Environment, EnvironmentRepository, migrate } from '@clarion/persistence';
import { findRedisServer, SecretBox, startEmbeddedPostgres, startEmbeddedRedis } from '@clarion/platform';

/** One server for the whole run: real Postgres with fsync on, real Redis where there is one. */
export type Stage = {
  /** A migrated database with the default environment, and a gateway on it in a process of its own. */
  open(name: string): Promise<Scene>;
  stop(): Promise<void>;
};

export type Scene = {
  databaseUrl: string;
  database: Database;
  environment: Environment;
  key: string;
  url: string;
  /** Resident memory of the gateway process, in MiB. */
  gatewayMemory(): number;
};

export async function setStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'clarion-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
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
  const open = async (name: string): Promise<Scene> => {
    const databaseUrl = await createDatabase(postgres.url, name);
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 4 }).initialize();
    await migrate(dataSource);
    const database = new Database(dataSource);
    const keys = SecretBox.generateKey();
    const admin = new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(keys));
    const { environment, key } = (await admin.ensureDefaults())!;
    const port = await freePort();
    const gateway = await startGateway({
      DATABASE_URL: databaseUrl,
      CLARION_ENCRYPTION_KEY: keys,
      CLARION_QUEUE: redis ? 'redis' : 'postgres',
      ...(redis && { REDIS_URL: redis.url }),
      CLARION_QUEUE_PREFIX: name,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      // The benchmark measures the machine, not the limit.
      CLARION_RATE_LIMIT_TRIGGER: '100000000',
      CLARION_RATE_LIMIT_CONFIGURATION: '100000000',
      CLARION_RATE_LIMIT_GLOBAL: '100000000',
    });
    closers.push(async () => {
      await endOf(gateway);
      await dataSource.destroy();
    });
    return {
      databaseUrl,
      database,
      environment,
      key,
      url: `http://127.0.0.1:${port}`,
      gatewayMemory: () => residentMiB(gateway.pid!),
    };
  };
  return { open, stop };
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

async function startGateway(environment: Record<string, string>): Promise<ChildProcess> {
  const child = fork(require.resolve('@clarion/gateway/main'), {
    env: environment,
  });
  const exited = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`))),
  );
  exited.catch(() => undefined);
  await Promise.race([exited, untilReady(`http://127.0.0.1:${environment['PORT']}/health/ready`)]);
  return child;
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
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

function residentMiB(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4096) / 1024 / 1024;
}

export const openPool = (scene: Scene, size: number): Pool =>
  new Pool({ connectionString: scene.databaseUrl, max: size });
