/**
 * A private Redis for `npm start` and the tests, when the machine has a `redis-server`. The append-only file is on and
 * nothing is evicted: it is a queue, not a cache. The password is passed through standard input, because arguments are
 * visible in `ps`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { dataDirError, ensureDataDir } from './data-dir';
import { EmbeddedServerError, messageOf } from './embedded-server-error';
import { findProgram } from './find-program';
import { isRunning } from './process-identity';
import { readOrCreateSecret } from './secret-file';
import { freePort, startServer, supervise, type ServerProcess, type Supervised } from './server-process';
import { readServerRecord, removeServerRecord, writeServerRecord } from './server-record';
import type { StopSignals } from './watchdog';

export interface EmbeddedRedisOptions {
  readonly dataDir: string;
  /** The `redis-server` program; see `findRedisServer`. */
  readonly binary: string;
  readonly log?: (line: string) => void;
  readonly startTimeoutMs?: number;
  /** Settings of the server that replace those of its file. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The port of an earlier server, so that its clients reconnect; otherwise a free port. */
  readonly port?: number;
}

export interface EmbeddedRedis extends Supervised {
  readonly url: string;
  readonly port: number;
}

const SIGNALS: StopSignals = { first: 'SIGTERM', last: 'SIGKILL', graceMs: 30_000 };
const RECORD = 'redis.server.json';
const PASSWORD = 'redis.password';
const POLL_MS = 20;
const ATTEMPTS = 5;
const START_TIMEOUT_MS = 60_000;

export function findRedisServer(): string | undefined {
  return findProgram('redis-server');
}

/** The address of the server that another process runs on this data folder; undefined when none runs. */
export function findEmbeddedRedis(dataDir: string): string | undefined {
  const running = readServerRecord(join(dataDir, RECORD));
  if (!running?.port || !isRunning(running.server)) return undefined;
  return urlOf(readOrCreateSecret(join(dataDir, PASSWORD)), running.port);
}

const urlOf = (password: string, port: number): string => `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;

export async function startEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
  const dataDir = ensureDataDir(options.dataDir);
  const record = join(dataDir, RECORD);
  try {
    await waitForEarlierServer(record);
    const folder = join(dataDir, 'redis');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await start(options, folder, record, readOrCreateSecret(join(dataDir, PASSWORD)));
  } catch (error) {
    throw dataDirError(dataDir, error);
  }
}

async function start(
  options: EmbeddedRedisOptions,
  folder: string,
  record: string,
  password: string,
): Promise<EmbeddedRedis> {
  const { binary, log = () => undefined, startTimeoutMs = START_TIMEOUT_MS } = options;
  const { PATH, TMPDIR } = process.env;
  const env = { PATH, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const input = configuration(folder, port, password, options.settings);
    const server = await startServer({ file: binary, args: ['-'], cwd: '/', env, input }, SIGNALS, log);
    const supervised = supervise('Redis', server, lastLine, () => removeServerRecord(record, server.pid));
    writeServerRecord(record, server.pid, port);
    const url = urlOf(password, port);
    if (await becomesReady(server, url, startTimeoutMs)) return { url, port, ...supervised };

    const output = server.output.join('\n');
    if (!output.includes('Address already in use') || attempt === ATTEMPTS) {
      const last = lastLine(server.output) ?? (await server.exited);
      throw new EmbeddedServerError(`The embedded Redis (${binary}) did not start: ${last}.`);
    }
  }
}

function configuration(folder: string, port: number, password: string, settings = {}): string {
  const quoted = `"${folder.replace(/[\\"]/g, '\\$&')}"`;
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${quoted}`,
    'daemonize no',
    'save ""',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    ...Object.entries(settings).map(([name, value]) => `${name} ${value}`),
    '',
  ].join('\n');
}

/** Waits for the server of an earlier run: two servers on one append-only file would destroy it. */
async function waitForEarlierServer(recordFile: string): Promise<void> {
  const earlier = readServerRecord(recordFile);
  if (!earlier || !isRunning(earlier.server)) return;
  if (isRunning(earlier.owner)) {
    throw new EmbeddedServerError(
      `Process ${earlier.owner.pid} already runs a Redis on this data folder: ` +
        'stop that one first, or set CLARION_DATA_DIR to another folder.',
    );
  }
  try {
    process.kill(earlier.server.pid, SIGNALS.first);
  } catch {
    // The process has exited, or belongs to another user: then its watchdog stops it.
  }
  const deadline = Date.now() + SIGNALS.graceMs;
  while (isRunning(earlier.server)) {
    if (Date.now() > deadline) {
      throw new EmbeddedServerError(
        `The Redis of an earlier run does not end (process ${earlier.server.pid}): stop it, then start again.`,
      );
    }
    await delay(POLL_MS);
  }
}

/** False when the server exited; throws when it takes too long. Loading a large append-only file does not count. */
async function becomesReady(server: ServerProcess, url: string, timeoutMs: number): Promise<boolean> {
  let deadline = Date.now() + timeoutMs;
  while (!server.hasExited()) {
    const answer = await ping(url);
    if (answer === 'PONG') return true;
    if (answer.startsWith('LOADING')) deadline = Date.now() + timeoutMs;
    if (Date.now() > deadline) {
      await server.stop();
      throw new EmbeddedServerError(
        `The embedded Redis did not start within ${Math.round(timeoutMs / 1000)} seconds ` +
          `(${lastLine(server.output) ?? answer}).`,
      );
    }
    await Promise.race([server.exited, delay(POLL_MS)]);
  }
  return false;
}

async function ping(url: string): Promise<string> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 1_000,
    // Otherwise a refused connection keeps a timer, and the process, alive for two seconds.
    disconnectTimeout: 0,
    commandTimeout: 1_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.ping();
  } catch (error) {
    return messageOf(error);
  } finally {
    client.disconnect();
  }
}

function lastLine(output: readonly string[]): string | undefined {
  // "12345:M 01 Jan 2030 00:00:00.000 # Could not ..."
  return output
    .at(-1)
    ?.replace(/^\d+:[A-Z] .*?[.#*-] /, '')
    .replace(/\.$/, '');
}
