import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer, startEmbeddedRedis } from '@clarion/embedded';
import { SecretBox } from '@clarion/platform';
import {
  type App,
  type AppProcess,
  createEmptyDatabase,
  createTestDatabase,
  freePort,
  startApp,
  type TestDatabase,
  uniquePrefix,
  until,
} from '@clarion/testing';
import { Redis } from 'ioredis';
import { createDefaults } from './processes';

/** A process that cannot run reports all faults of its configuration and environment in one message, and exits. */
describe('start of a process', () => {
  const encryptionKeys = SecretBox.generateKey();
  const started: AppProcess[] = [];
  const databases: TestDatabase[] = [];

  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.stop('SIGKILL')));
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });

  const start = (app: App, environment: Record<string, string>): AppProcess => {
    const process = startApp(app, environment);
    started.push(process);
    return process;
  };
  const dropLater = async (made: Promise<TestDatabase>): Promise<TestDatabase> => {
    const database = await made;
    databases.push(database);
    return database;
  };
  /** A database with secrets that were encrypted with these keys. */
  const usedDatabase = async (): Promise<TestDatabase> => {
    const database = await dropLater(createTestDatabase());
    await createDefaults(database, encryptionKeys);
    return database;
  };
  const environmentFor = (databaseUrl: string, more: Record<string, string> = {}): Record<string, string> => ({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    CLARION_ENCRYPTION_KEY: encryptionKeys,
    CLARION_QUEUE: 'postgres',
    CLARION_QUEUE_PREFIX: uniquePrefix(),
    ...more,
  });

  it.each(['gateway', 'engine', 'worker-email'] as const)(
    'stops %s with a message that names every invalid variable',
    async (app) => {
      const process = start(app, { PORT: 'x', CLARION_DRAIN_MS: '-1', CLARION_OBSERVE_PORT: '70000' });
      expect(await process.exited).toBe(1);
      expect(process.output()).toMatch(/^The configuration has 5 faults:\n/);
      for (const name of [
        'PORT',
        'CLARION_DRAIN_MS',
        'CLARION_OBSERVE_PORT',
        'DATABASE_URL',
        'CLARION_ENCRYPTION_KEY',
      ]) {
        expect(process.output()).toContain(`\n  - ${name} `);
      }
    },
  );

  it.each(['gateway', 'engine'] as const)(
    'stops %s when the encryption key does not decrypt the stored data',
    async (app) => {
      const { url } = await usedDatabase();
      const process = start(app, environmentFor(url, { CLARION_ENCRYPTION_KEY: SecretBox.generateKey('other') }));
      expect(await process.exited).toBe(1);
      expect(process.output()).toMatch(/^CLARION_ENCRYPTION_KEY does not open what is stored under the key id "k1": /);
    },
  );

  it('gives engines and workers the nice value of CLARION_NICE, and the gateway none', async () => {
    const { url } = await usedDatabase();
    const environment = environmentFor(url, { CLARION_NICE: '7' });
    const processes = (['gateway', 'engine', 'worker-email'] as const).map((app) => start(app, environment));
    await Promise.all(processes.map(({ ready }) => ready));
    const before = getPriority();
    const expected = [before, Math.max(before, 7), Math.max(before, 7)];
    expect(processes.map(({ child }) => getPriority(child.pid))).toEqual(expected);
  });

  it('starts the engine with a new encryption key in front of the old one', async () => {
    const { url } = await usedDatabase();
    const process = start(
      'engine',
      environmentFor(url, { CLARION_ENCRYPTION_KEY: `${SecretBox.generateKey('new')},${encryptionKeys}` }),
    );
    await process.ready;
    expect(await process.stop()).toBe(0);
  });

  it('stops a process when the schema is older than the build, or newer and not compatible', async () => {
    const empty = await dropLater(createEmptyDatabase());
    const older = start('worker-email', environmentFor(empty.url));
    expect(await older.exited).toBe(1);
    expect(older.output()).toMatch(
      /^The database schema is older than this build: run `npm run clarion -- migrate` first$/m,
    );

    const ahead = await usedDatabase();
    await ahead.database.query(
      `INSERT INTO migration (timestamp, name, checksum, requires)
       VALUES (9000000000000, 'Future9000000000000', 'future', 'Future9000000000000')`,
    );
    const newer = start('gateway', environmentFor(ahead.url));
    expect(await newer.exited).toBe(1);
    expect(newer.output()).toMatch(
      /^The database schema is newer than this build, which cannot work after Future9000000000000: /,
    );
  });

  it('stops the engine at once when the database does not exist', async () => {
    const { url } = await usedDatabase();
    const process = start('engine', environmentFor(url.replace('?', '_not_there?')));
    expect(await process.exited).toBe(1);
    expect(process.output()).toMatch(/^Postgres refuses the connection, check DATABASE_URL: .* does not exist$/m);
  });

  it('stops the engine when its port is in use', async () => {
    const { url } = await usedDatabase();
    const port = await freePort();
    const first = start('engine', environmentFor(url, { CLARION_OBSERVE_PORT: String(port) }));
    await first.ready;
    const second = start('engine', environmentFor(url, { CLARION_OBSERVE_PORT: String(port) }));
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`Port ${port} is in use on 127.0.0.1: `);
    expect(second.output()).toContain('set CLARION_OBSERVE_PORT');
  });

  // Skipped only where no redis-server is installed.
  const redisServer = findRedisServer();
  if (redisServer) {
    it('stops a process when Redis may evict keys, and names this together with other faults', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'clarion-evicting-'));
      const redis = await startEmbeddedRedis({ dataDir, binary: redisServer });
      try {
        const client = new Redis(redis.url);
        await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
        client.disconnect();
        const { url, database } = await usedDatabase();
        const evicting = { CLARION_QUEUE: 'redis', REDIS_URL: redis.url };
        const one = start('engine', environmentFor(url, evicting));
        expect(await one.exited).toBe(1);
        expect(one.output()).toMatch(/^Redis runs with maxmemory-policy "allkeys-lru"/m);

        const other = environmentFor(url, { ...evicting, CLARION_ENCRYPTION_KEY: SecretBox.generateKey('other') });
        const all = start('gateway', other);
        expect(await all.exited).toBe(1);
        expect(all.output()).toMatch(
          /^There are 2 faults to fix first:\n {2}- CLARION_ENCRYPTION_KEY .*\n {2}- Redis runs /m,
        );
        expect(
          await database.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'clarion-gateway'
          AND datname = current_database()`),
        ).toEqual([]);
      } finally {
        await redis.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    });
  }

  describe('start of a process before its database', () => {
    let late: Awaited<ReturnType<typeof startLateDatabase>>;

    beforeEach(async () => {
      const { url } = await usedDatabase();
      late = await startLateDatabase(url);
    });
    afterEach(() => late.close());

    const waiting = async (app: App) => {
      const port = String(await freePort());
      const variable = app === 'gateway' ? 'PORT' : 'CLARION_OBSERVE_PORT';
      const process = start(app, environmentFor(late.url, { [variable]: port }));
      const probe = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
        return { status: answer?.status, text: await answer?.text() };
      };
      const warnings = (): number => process.output().split('waiting for the database').length - 1;
      return { app, process, probe, warnings };
    };

    it('reports the missing database to probes and in the log, and starts when the database is available', async () => {
      const both = await Promise.all((['gateway', 'engine'] as const).map(waiting));
      for (const { app, probe, warnings } of both) {
        await until(() => warnings() >= 2);
        expect(await probe('/health/live')).toEqual({ status: 200, text: '{"status":"ok"}' });
        expect(await probe('/health/ready')).toMatchObject({
          status: 503,
          text: expect.stringContaining('the database: '),
        });
        expect(await probe('/v1/events/trigger')).toMatchObject({ status: app === 'gateway' ? 503 : 404 });
      }

      late.open();
      for (const { process, probe } of both) {
        await process.ready;
        expect(await probe('/health/ready')).toMatchObject({ status: 200 });
        expect((await probe('/metrics')).text).toContain('clarion_build_info');
        expect(await process.stop()).toBe(0);
      }
    });

    it('stops a worker with code 0 at SIGTERM while it waits for the database', async () => {
      const process = start('worker-email', environmentFor(late.url));
      await until(() => process.output().includes('waiting for the database'));
      expect(await process.stop()).toBe(0);
    });
  });
});

/** An address that closes every connection until `open` is called, and then forwards to the database. */
async function startLateDatabase(url: string) {
  const real = new URL(url);
  let isOpen = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isOpen) return void socket.destroy();
    const upstream = connect(Number(real.port), real.hostname);
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const later = new URL(url);
  later.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: later.href,
    open: () => void (isOpen = true),
    close: () => void server.close(),
  };
}
