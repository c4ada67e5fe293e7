import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '@clarion/testing';
import { findRedisServer, startEmbeddedRedis } from '../src/embedded-redis';
import { identify, isRunning } from '../src/process-identity';
import { readServerRecord } from '../src/server-record';
import { fakePrograms, Owners, watchdogsOf } from './owner';

const owners = new Owners();
const { root } = owners;
afterAll(() => owners.dispose());

describe('findRedisServer', () => {
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
  });

  it('finds the first redis-server on PATH', () => {
    const folders = ['a folder', 'plain', 'right'].map((name) => join(root, name, 'bin'));
    mkdirSync(join(folders[0] ?? '', 'redis-server'), { recursive: true });
    mkdirSync(folders[1] ?? '', { recursive: true });
    writeFileSync(join(folders[1] ?? '', 'redis-server'), '', { mode: 0o644 });
    fakePrograms(join(root, 'right'), { 'redis-server': 'exit 0' });
    process.env.PATH = ['relative', '', ...folders].join(':');
    expect(findRedisServer()).toBe(join(root, 'right', 'bin', 'redis-server'));
  });

  it('returns undefined without a redis-server on PATH', () => {
    process.env.PATH = join(root, 'nowhere');
    expect(findRedisServer()).toBeUndefined();
  });
});

const binary = findRedisServer();

// Without a redis-server, `npm test` reports it and runs on the Postgres queue backend.
if (binary) describeRedis(binary);

function describeRedis(binary: string): void {
  describe('startEmbeddedRedis', () => {
    let dataDir: string;
    let count = 0;

    beforeEach(() => {
      dataDir = join(root, `data "${(count += 1)}"`);
    });

    const ask = async <Answer>(url: string, question: (client: Redis) => Promise<Answer>): Promise<Answer> => {
      const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
      client.on('error', () => undefined);
      try {
        return await question(client);
      } finally {
        client.disconnect();
      }
    };

    const server = (): { pid: number; born: string } => {
      const record = readServerRecord(join(dataDir, 'redis.server.json'));
      if (!record) throw new Error('no server is on record');
      return record.server;
    };

    it('requires a password, evicts nothing and logs every write to the append-only file', async () => {
      const redis = await startEmbeddedRedis({ dataDir, binary });
      const setting = async (name: string) =>
        ((await ask(redis.url, (client) => client.config('GET', name))) as string[])[1];
      expect(await setting('maxmemory-policy')).toBe('noeviction');
      expect(await setting('appendonly')).toBe('yes');
      expect(await setting('appendfsync')).toBe('everysec');
      expect(await setting('save')).toBe('');
      expect(await setting('bind')).toBe('127.0.0.1');
      await expect(ask(`redis://127.0.0.1:${redis.port}`, (client) => client.ping())).rejects.toThrow('NOAUTH');
      expect(statSync(join(dataDir, 'redis.password')).mode & 0o777).toBe(0o600);
      await redis.stop();
    });

    it('keeps data and password across a restart and shuts down cleanly', async () => {
      const lines: string[] = [];
      const first = await startEmbeddedRedis({ dataDir, binary, log: (line) => lines.push(line) });
      const { pid } = server();
      await ask(first.url, (client) => client.set('kept', 'yes'));
      await first.stop();
      expect(identify(pid)).toBeUndefined();
      expect(lines.at(-1)).toContain('ready to exit');
      expect(watchdogsOf(process.pid)).toEqual([]);
      expect(readdirSync(dataDir).sort()).toEqual(['redis', 'redis.password']);

      const second = await startEmbeddedRedis({ dataDir, binary });
      expect(await ask(second.url, (client) => client.get('kept'))).toBe('yes');
      expect(new URL(second.url).password).toBe(new URL(first.url).password);
      await second.stop();
    });

    it('stops the Redis server when its owner is killed', async () => {
      const owner = await owners.start({ what: 'redis', dataDir, binary });
      const running = server();
      await owner.kill('SIGKILL');
      await until(() => !isRunning(running));
    });

    it('waits for the server of a killed owner before it uses the files', async () => {
      const owner = await owners.start({ what: 'redis', dataDir, binary });
      const orphan = server();
      for (const watchdog of watchdogsOf(owner.process.pid ?? 0)) process.kill(watchdog, 'SIGKILL');
      await owner.kill('SIGKILL');
      expect(isRunning(orphan)).toBe(true);
      const redis = await startEmbeddedRedis({ dataDir, binary });
      expect(isRunning(orphan)).toBe(false);
      await redis.stop();
    });

    it('rejects a folder whose server is in use and names the process', async () => {
      const owner = await owners.start({ what: 'redis', dataDir, binary });
      await expect(startEmbeddedRedis({ dataDir, binary })).rejects.toThrow(
        `Process ${owner.process.pid} already runs a Redis on this data folder`,
      );
      await owner.kill();
    });

    it('reports the death of the server', async () => {
      const redis = await startEmbeddedRedis({ dataDir, binary });
      process.kill(server().pid, 'SIGKILL');
      expect((await redis.died).message).toMatch(/^The embedded Redis was ended by SIGKILL/);
    });

    it('reports why the server did not start', async () => {
      const fake = fakePrograms(join(root, 'broken'), {
        'redis-server': 'echo "7:M 01 Jan 2030 00:00:00.000 # Can\'t open the append-only file."; exit 1',
      });
      await expect(startEmbeddedRedis({ dataDir, binary: join(fake, 'bin', 'redis-server') })).rejects.toThrow(
        /did not start: Can't open the append-only file\.$/,
      );
      await expect(startEmbeddedRedis({ dataDir, binary: join(root, 'nowhere') })).rejects.toThrow(/cannot be run/);
    });
  });
}
