import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { until } from '@clarion/testing';
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../src/embedded-postgres';
import { EmbeddedServerError } from '../src/embedded-server-error';
import { findProgram } from '../src/find-program';
import { findPostgresBinaries } from '../src/postgres-binaries';
import { identify, isRunning } from '../src/process-identity';
import { fakePrograms, Owners, processesWith, watchdogsOf } from './owner';

const QUICK = { fsync: 'off' };
const isRoot = process.getuid?.() === 0;

describe('startEmbeddedPostgres', () => {
  const owners = new Owners();
  const { root } = owners;
  let dataDir: string;
  beforeEach(() => void (dataDir = owners.newDataDir()));
  afterAll(() => owners.dispose());

  const start = (options: Partial<EmbeddedPostgresOptions> = {}) =>
    startEmbeddedPostgres({ dataDir, settings: QUICK, ...options });

  const query = async <Row extends QueryResultRow>(url: string, sql: string): Promise<Row[]> => {
    const client = new Client(url);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  const serverPid = (): number =>
    Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

  it('keeps data and password across a restart', async () => {
    const first = await start();
    expect(first.started).toBe(true);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);

    const second = await start();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    await second.stop();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.password']);
  });

  it('is durable, private and in UTC by default', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings: { work_mem: '5MB', listen_addresses: '*' } });
    const rows = await query<{ name: string; setting: string }>(server.url, 'SELECT name, setting FROM pg_settings');
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    expect(settings).toMatchObject({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
      jit: 'off',
      work_mem: '5120',
    });
    const wrong = Object.assign(new URL(server.url), { password: 'wrong' });
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(await query(server.url, `SELECT lower('ÄÉ') AS low`)).toEqual([{ low: 'äé' }]);
    await server.stop();
  });

  it('passes server messages to the log function and shuts down cleanly', async () => {
    const lines: string[] = [];
    const server = await start({ log: (line) => lines.push(line) });
    const pid = serverPid();
    const client = new Client(server.url);
    client.on('error', () => undefined);
    await client.connect();
    await Promise.all([server.stop(), server.stop()]);
    expect(identify(pid)).toBeUndefined();
    expect(lines).toContain('LOG:  database system is ready to accept connections');
    expect(lines.at(-1)).toBe('LOG:  database system is shut down');
    expect(watchdogsOf(process.pid)).toEqual([]);
  });

  it('uses a server that already runs and leaves it running', async () => {
    const owner = await owners.start({ what: 'postgres', dataDir });
    const guest = await start();
    expect(guest.started).toBe(false);
    expect(guest.url).toBe(owner.answer.url);
    await guest.stop();
    expect(await query(guest.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await owner.kill();
  });

  it('gives one server to two processes that start for the first time together', async () => {
    const both = await Promise.all([0, 1].map(() => owners.start({ what: 'postgres', dataDir })));
    expect(both.map(({ answer }) => answer.error)).toEqual([undefined, undefined]);
    expect(both.filter(({ answer }) => answer.started)).toHaveLength(1);
    expect(both[0]?.answer.url).toBe(both[1]?.answer.url);
    await query(both[0]?.answer.url ?? '', 'SELECT 1');
    await Promise.all(both.map((owner) => owner.kill()));
  });

  it('reports the death of the server and starts again despite its pid file', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const pid = serverPid();
    process.kill(pid, 'SIGKILL');
    expect((await first.died).message).toMatch(/^The embedded Postgres was ended by SIGKILL/);
    expect(serverPid()).toBe(pid);

    const second = await start();
    expect(second.started).toBe(true);
    expect(await query(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it('starts although the pid in the pid file belongs to another program', async () => {
    await (await start()).stop();
    // Runs under the account of the server: Postgres ignores processes of other users.
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const innocent = spawn('sleep', ['600'], { ...(isRoot ? { uid, gid } : {}), stdio: 'ignore' });
    const postmaster = [innocent.pid, join(dataDir, 'postgres'), 1, 5432, '', '127.0.0.1', '  1  1', 'ready   '];
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${postmaster.join('\n')}\n`);
    const server = await start();
    expect(server.started).toBe(true);
    expect(serverPid()).not.toBe(innocent.pid);
    await server.stop();
    innocent.kill();
  });

  it('stops the Postgres server when its owner is killed', async () => {
    const owner = await owners.start({ what: 'postgres', dataDir });
    const server = identify(serverPid());
    if (!server) throw new Error('the server does not run');
    await owner.kill('SIGKILL');
    await until(() => !isRunning(server));
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  it('does not use a server whose owner is gone', async () => {
    const owner = await owners.start({ what: 'postgres', dataDir });
    const orphan = serverPid();
    for (const watchdog of watchdogsOf(owner.process.pid ?? 0)) process.kill(watchdog, 'SIGKILL');
    await owner.kill('SIGKILL');
    expect(identify(orphan)).toBeDefined();

    const server = await start();
    expect(server.started).toBe(true);
    expect(serverPid()).not.toBe(orphan);
    await query(server.url, 'SELECT 1');
    await server.stop();
  });

  it('does not receive the Ctrl-C of its owner', async () => {
    const owner = await owners.start({ what: 'postgres', dataDir });
    process.kill(-(owner.process.pid ?? 0), 'SIGINT');
    expect(await owner.next()).toEqual({ interrupted: true });
    expect(await query(owner.answer.url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await owner.kill();
  });

  it('names a missing shared library', async () => {
    const failing =
      'echo "$0: error while loading shared libraries: libxml2.so.2: cannot open shared object file" >&2; exit 127';
    const nativeDir = fakePrograms(join(root, 'no-library'), { postgres: failing, initdb: failing });
    const attempt = start({ nativeDir });
    await expect(attempt).rejects.toThrow(EmbeddedServerError);
    await expect(attempt).rejects.toThrow(
      /needs the system library libxml2\.so\.2.*apt-get install libxml2.*DATABASE_URL/,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('fails a start that takes too long with the last output of the server', async () => {
    const nativeDir = fakePrograms(join(root, 'slow'), {
      postgres:
        'test "$1" = --version && { echo "postgres (PostgreSQL) 17.0"; exit; }; echo "LOG:  still thinking"; exec sleep 599',
      initdb: 'echo 17 >"${1#--pgdata=}/PG_VERSION"',
    });
    await expect(start({ nativeDir, startTimeoutMs: 3_000 })).rejects.toThrow(
      /did not start within \d+ seconds \(still thinking\)/,
    );
    expect(processesWith('sleep 599')).toEqual([]);
  });

  it('reports why the server refused to start', async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      'The embedded Postgres did not start: invalid value for parameter "shared_buffers": "plenty".',
    );
  });

  it('rejects data of another major version', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(/was made by Postgres 15 and this Clarion brings 17/);
  });

  it('asks for a missing password file', async () => {
    await (await start()).stop();
    rmSync(join(dataDir, 'postgres.password'));
    await expect(start()).rejects.toThrow(/password of the embedded Postgres is missing/);
  });

  it('removes the remains of a killed first start and no folder of a running one', async () => {
    mkdirSync(join(dataDir, 'postgres.new-999999999-abc'), { recursive: true });
    mkdirSync(join(dataDir, `postgres.new-${process.ppid}-abc`));
    chmodSync(dataDir, 0o711);
    await (await start()).stop();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', `postgres.new-${process.ppid}-abc`, 'postgres.password']);
  });

  it('explains what to do when the data folder cannot be written', async () => {
    writeFileSync(dataDir, '');
    await expect(start()).rejects.toThrow(/is a file and not a folder.*CLARION_DATA_DIR/);
  });

  it('runs without root privileges and owns only the data', async () => {
    const server = await start();
    const { uid } = statSync(join(dataDir, 'postgres'));
    expect(uid).not.toBe(0);
    const user = spawnSync('ps', ['-o', 'uid=', '-p', String(serverPid())], { encoding: 'utf8' }).stdout.trim();
    expect(Number(user)).toBe(uid);
    expect(statSync(dataDir).uid).toBe(process.getuid?.());
    expect(statSync(join(dataDir, 'postgres.password')).uid).toBe(process.getuid?.());
    await server.stop();
  });

  it('repairs owner and permissions of restored data', async () => {
    await (await start()).stop();
    if (isRoot) spawnSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]);
    chmodSync(join(dataDir, 'postgres'), 0o755);
    const server = await start();
    await query(server.url, 'SELECT 1');
    await server.stop();
  });

  it('works below a private folder, as root with setpriv, and explains what to do without it', async () => {
    const home = join(root, 'home');
    mkdirSync(home, { mode: 0o700 });
    dataDir = join(home, 'data');
    const nativeDir = join(home, 'native');
    symlinkSync(dirname(dirname(findPostgresBinaries().postgres)), nativeDir);
    const refusal = /^The user "\w+" \(Postgres does not run as root\) cannot reach .*CLARION_DATA_DIR.*DATABASE_URL/;
    if (isRoot) {
      const path = process.env.PATH;
      process.env.PATH = '/nowhere';
      try {
        await expect(start({ nativeDir })).rejects.toThrow(refusal);
      } finally {
        process.env.PATH = path;
      }
    }
    if (isRoot && !findProgram('setpriv')) return;
    const server = await start({ nativeDir });
    await query(server.url, 'SELECT 1');
    await server.stop();
  });
});
