import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type ServerProcess, startServer } from '@clarion/embedded';
import { freePort } from '../free-ports';
import { until } from '../until';

/** Certificates of a server that accepts TLS only. Clients need no certificate. */
export type RedisTls = { cert: string; key: string; ca: string };

export type RedisServerOptions = {
  port?: number;
  /** The password of the default user. */
  password?: string;
  /** Lines of the configuration file, such as `{ maxmemory: '8mb', appendonly: 'yes' }`; an array repeats the line. */
  settings?: Record<string, string | readonly string[]>;
  /** Users of the ACL, as in the configuration file: `clarion on >password ~{clarion.* +@all`. */
  users?: readonly string[];
  tls?: RedisTls;
  mode?: 'server' | 'sentinel';
};

/** A real `redis-server` on a loopback port. It ends with this process, however this process ends. */
export type RedisServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly isRunning: boolean;
  /** Sends one command on a new connection, as the default user. */
  command(...command: [string, ...(string | number)[]]): Promise<unknown>;
  /** The fields of one section of INFO. */
  info(section: string): Promise<Record<string, string>>;
  /** SIGSTOP: connections stay open, and nothing answers. */
  freeze(): void;
  resume(): void;
  /** SIGKILL. Resolves when the process has ended; its files stay for `restart`. */
  kill(): Promise<void>;
  /** Starts it again on the same port and files. Resolves when it answers. */
  restart(): Promise<void>;
  /** Kills the process and removes its files. */
  stop(): Promise<void>;
};

const HOST = '127.0.0.1';
/** After the end of this process: a frozen server does not react to SIGTERM. */
const SIGNALS = { first: 'SIGTERM', last: 'SIGKILL', graceMs: 1_000 } as const;
const COMMAND_TIMEOUT_MS = 30_000;

export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'clarion-redis-'));
  const file = join(folder, 'redis.conf');
  writeFileSync(file, configuration(options, port, folder));
  const args = options.mode === 'sentinel' ? [file, '--sentinel'] : [file];
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const command = { file: 'redis-server', args, cwd: folder, env };
  // Certificates of specs are for this name.
  const host = options.tls ? 'localhost' : HOST;
  let server: ServerProcess;

  const client = (): Redis =>
    new Redis({
      host,
      port,
      ...(options.password && { password: options.password }),
      ...(options.tls && { tls: { ca: options.tls.ca } }),
      lazyConnect: true,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      connectTimeout: COMMAND_TIMEOUT_MS,
      disconnectTimeout: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
    });
  const send = async ([name, ...args]: [string, ...(string | number)[]]): Promise<unknown> => {
    const redis = client();
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.call(name, ...args);
    } finally {
      redis.disconnect();
    }
  };
  const start = async (): Promise<void> => {
    server = await startServer(command, SIGNALS, () => undefined);
    await until(async () => {
      if (server.hasExited()) throw new Error(`redis-server has ended: ${server.output.slice(-5).join('\n')}`);
      return (await send(['PING']).catch(() => undefined)) === 'PONG';
    });
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void => {
    if (!server.hasExited()) process.kill(server.pid, name);
  };
  const kill = async (): Promise<void> => {
    signal('SIGKILL');
    // The process object does not keep this process alive; the timer of the poll does.
    await until(() => server.hasExited());
  };
  await start();
  return {
    url: `${options.tls ? 'rediss' : 'redis'}://${credentials(options.password)}${host}:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    get isRunning() {
      return !server.hasExited();
    },
    command: (...parts) => send(parts),
    info: async (section) => infoFields(String(await send(['INFO', section]))),
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill,
    restart: start,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The part of a URL before the host. */
export const credentials = (password?: string): string => (password ? `:${encodeURIComponent(password)}@` : '');

/** Starts servers together. If one does not start, the others are stopped. */
export async function startRedisServers(all: RedisServerOptions[]): Promise<RedisServer[]> {
  const started = await Promise.allSettled(all.map(startRedis));
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  if (!failed) return servers;
  await Promise.all(servers.map((server) => server.stop()));
  throw failed.reason;
}

function configuration(options: RedisServerOptions, port: number, folder: string): string {
  const { tls, password } = options;
  const isSentinel = options.mode === 'sentinel';
  const settings: Record<string, string | readonly string[]> = {
    bind: HOST,
    dir: folder,
    daemonize: 'no',
    ...(tls ? { port: '0', 'tls-port': String(port), ...tlsSettings(tls, folder) } : { port: String(port) }),
    ...(password && { requirepass: password }),
    ...(!isSentinel && { save: '""', 'maxmemory-policy': 'noeviction', 'shutdown-timeout': '0' }),
    // A replica gets its first copy at once.
    ...(!isSentinel && { 'repl-diskless-sync-delay': '0', 'repl-timeout': '5' }),
    ...(options.users && { user: options.users }),
    ...options.settings,
  };
  const lines = Object.entries(settings).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name} ${value}`),
  );
  return `${lines.join('\n')}\n`;
}

function tlsSettings({ cert, key, ca }: RedisTls, folder: string): Record<string, string> {
  const fileOf = (name: string, content: string): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  return {
    'tls-cert-file': fileOf('server.crt', cert),
    'tls-key-file': fileOf('server.key', key),
    'tls-ca-cert-file': fileOf('ca.crt', ca),
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
  };
}

export const infoFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
