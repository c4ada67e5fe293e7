import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type ServerProcess, startServer } from '@clarion/embedded';
import { freePort } from '../free-ports';
import { until } from '../until';

export type PgBouncerOptions = {
  /** Connections to Postgres for one database and user. */
  poolSize?: number;
  mode?: 'transaction' | 'session';
  /** Lines of the section `pgbouncer` of its configuration file. */
  settings?: Record<string, string>;
};

/** A real PgBouncer on a loopback port. It ends with this process, however this process ends. */
export type PgBouncer = {
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  /** The URL of a database through the pooler, with the login of the server behind it. */
  url(database?: string): string;
  /** Runs a command of its console, such as `SHOW POOLS`, `PAUSE` or `RECONNECT`. */
  admin(command: string): Promise<Record<string, unknown>[]>;
  /** Sends new connections to another server, as an operator does after a promotion. */
  pointTo(postgresUrl: string): Promise<void>;
  kill(): Promise<void>;
  /** Starts it again on the same port after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const SIGNALS = { first: 'SIGTERM', last: 'SIGKILL', graceMs: 1_000 } as const;

/** Starts PgBouncer in front of this server; the program must be on PATH. */
export async function startPgBouncer(postgresUrl: string, options: PgBouncerOptions = {}): Promise<PgBouncer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'clarion-pgbouncer-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const write = (target: string): void => {
    const { username, password } = new URL(target);
    writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
    writeFileSync(file, configuration(new URL(target), port, folder, options));
  };
  // It does not run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const command = { file: 'pgbouncer', args: [...account, file], cwd: folder, env };

  write(postgresUrl);
  const login = new URL(postgresUrl);
  const url = (database = login.pathname.slice(1)): string => {
    const through = new URL(postgresUrl);
    through.port = String(port);
    through.pathname = `/${database}`;
    return through.href;
  };
  const admin = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url('pgbouncer'), connectionTimeoutMillis: 30_000 });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };

  let server: ServerProcess;
  const start = async (): Promise<void> => {
    server = await startServer(command, SIGNALS, () => undefined);
    await until(async () => {
      if (server.hasExited()) throw new Error(`PgBouncer ended: ${server.output.join('\n')}`);
      return admin('SHOW VERSION').then(
        () => true,
        () => false,
      );
    });
  };
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await start();
  const [shown] = await admin('SHOW VERSION');
  return {
    port,
    get pid() {
      return server.pid;
    },
    version: /\b\d+\.\d+(\.\d+)?/.exec(String(shown!['version']))![0],
    url,
    admin,
    async pointTo(target) {
      write(target);
      await admin('RELOAD');
      await admin('RECONNECT');
    },
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    restart: start,
    stop,
  };
}

function configuration(target: URL, port: number, folder: string, options: PgBouncerOptions): string {
  const { poolSize = 5, mode = 'transaction', settings = {} } = options;
  const values = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    admin_users: target.username,
    pool_mode: mode,
    default_pool_size: String(poolSize),
    max_client_conn: '1000',
    ...settings,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', `* = host=${target.hostname} port=${target.port}`, '[pgbouncer]', ...lines, ''].join('\n');
}
