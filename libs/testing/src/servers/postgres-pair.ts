import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clarion/embedded';
import { freePorts } from '../free-ports';
import { until } from '../until';

const STOP_SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** One of the two servers. Its port stays the same over restarts. */
export type PostgresNode = {
  readonly name: 'one' | 'two';
  readonly port: number;
  /** As the superuser, to the database `postgres`. */
  readonly url: string;
  readonly isRunning: boolean;
  /** The process id of the postmaster. */
  readonly pid: number;
  /** Runs one statement on a new connection, as the superuser. */
  query<Row>(sql: string, parameters?: unknown[], database?: string): Promise<Row[]>;
};

export type PostgresPairOptions = {
  /** Commits wait until the standby has written them. */
  synchronous?: boolean;
  /** Settings of both servers. */
  settings?: Record<string, string>;
};

/** A primary and its streaming standby: real servers on loopback ports that end with this process. */
export type PostgresPair = {
  /** The node that accepts writes; after `promote` it is the former standby. */
  readonly primary: PostgresNode;
  readonly standby: PostgresNode;
  /** A URL that names both nodes and asks for the one that accepts writes. */
  url(database?: string): string;
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Resolves when the standby has applied everything that the primary has committed by now. */
  caughtUp(): Promise<void>;
  /** The standby still receives changes, but reads do not see them: it lags. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  stopPrimary(mode: 'smart' | 'fast' | 'immediate'): Promise<void>;
  /** SIGKILL for the server and all its connections. */
  killPrimary(): Promise<void>;
  /** Starts the stopped primary again, on the same data and in its old role. */
  restartPrimary(): Promise<void>;
  stopStandby(mode: 'smart' | 'fast' | 'immediate'): Promise<void>;
  restartStandby(): Promise<void>;
  /**
   * Makes the standby a primary. The old primary is not told: if it runs, it still accepts writes, as after a network
   * partition. Resolves when the new primary accepts writes; it waits for no standby.
   */
  promote(): Promise<void>;
  /** After `promote`: starts the old primary as if nothing had happened, so that two servers accept writes. */
  restartOldPrimary(): Promise<void>;
  /** Starts the old primary as the standby of the new one, with a new copy of its data. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
};

export async function startPostgresPair(options: PostgresPairOptions = {}): Promise<PostgresPair> {
  const [portOne, portTwo] = await freePorts(2);
  const one = new Node('one', portOne!, options.settings);
  const two = new Node('two', portTwo!, options.settings);
  let [primary, standby] = [one, two];
  const stop = async (): Promise<void> => void (await Promise.all([one.remove(), two.remove()]));

  const follow = async (): Promise<void> => {
    await standby.copyFrom(primary);
    await standby.start(primary);
  };
  const pair: PostgresPair = {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    url(database = 'postgres') {
      const { username, password } = new URL(primary.url);
      const hosts = [one, two].map(({ port }) => `127.0.0.1:${port}`).join(',');
      return `postgres://${username}:${password}@${hosts}/${database}?target_session_attrs=read-write`;
    },
    async setSynchronous(isSynchronous) {
      await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? standby.name : ''}'`);
      await primary.query(`SELECT pg_reload_conf()`);
      if (!isSynchronous) return;
      await until(async () => {
        const [row] = await primary.query<{ yes: boolean }>(
          `SELECT count(*) > 0 AS yes FROM pg_stat_replication WHERE sync_state = 'sync'`,
        );
        return row!.yes;
      });
    },
    async caughtUp() {
      const [now] = await primary.query<{ lsn: string }>(`SELECT pg_current_wal_lsn()::text AS lsn`);
      await until(async () => {
        const [row] = await standby.query<{ yes: boolean }>(
          `SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS yes`,
          [now!.lsn],
        );
        return row!.yes;
      });
    },
    pauseReplay: async () => void (await standby.query(`SELECT pg_wal_replay_pause()`)),
    resumeReplay: async () => void (await standby.query(`SELECT pg_wal_replay_resume()`)),
    stopPrimary: (mode) => primary.end(STOP_SIGNALS[mode]),
    killPrimary: () => primary.kill(),
    restartPrimary: () => primary.start(),
    stopStandby: (mode) => standby.end(STOP_SIGNALS[mode]),
    restartStandby: () => standby.start(primary),
    async promote() {
      await standby.query(`SELECT pg_promote(true, 60)`);
      [primary, standby] = [standby, primary];
    },
    restartOldPrimary: () => standby.start(),
    async rejoin() {
      if (standby.isRunning) await standby.end('SIGQUIT');
      await follow();
    },
    stop,
  };

  try {
    await primary.start();
    // The standby has the same password as the primary: it is part of the copied data.
    await follow();
    await until(async () => {
      const rows = await primary.query(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`);
      return rows.length > 0;
    });
    if (options.synchronous) await pair.setSynchronous(true);
  } catch (error) {
    await stop();
    throw error;
  }
  return pair;
}

/** Files of a data folder that belong to the running server or to its role, not to its data. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'standby.signal', 'postgresql.auto.conf']);
/** Folders whose contents the copy fetches from the primary, or does not need. */
const COPIED_EMPTY = new Set(['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_dynshmem', 'pg_notify', 'pg_subtrans']);

class Node implements PostgresNode {
  private readonly folder = mkdtempSync(join(tmpdir(), 'clarion-postgres-'));
  private readonly data = join(this.folder, 'postgres');
  private server?: EmbeddedPostgres;
  url = '';

  constructor(
    readonly name: 'one' | 'two',
    readonly port: number,
    private readonly settings: Record<string, string> = {},
  ) {
    // As root, Postgres runs under another account, which must be able to enter the folder.
    chmodSync(this.folder, 0o711);
  }

  get isRunning(): boolean {
    return this.server !== undefined;
  }

  get pid(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async query<Row>(sql: string, parameters: unknown[] = [], database = 'postgres'): Promise<Row[]> {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 30_000 });
    await client.connect();
    try {
      return (await client.query(sql, parameters)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async start(primary?: Node): Promise<void> {
    this.server = await startEmbeddedPostgres({
      dataDir: this.folder,
      port: this.port,
      settings: {
        // What a killed process has written survives in the memory of the system.
        fsync: 'off',
        wal_keep_size: '512MB',
        wal_retrieve_retry_interval: '100ms',
        wal_receiver_status_interval: '1s',
        // Reads of a standby that replay waits for are ended soon.
        max_standby_streaming_delay: '5s',
        ...this.settings,
        ...(primary && { primary_conninfo: connectionInfo(primary, this.name) }),
      },
    });
    this.url = this.server.url;
  }

  /** An online copy, which becomes a standby when it is started. */
  async copyFrom(primary: Node): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    copyFileSync(join(primary.folder, 'postgres.password'), join(this.folder, 'postgres.password'));
    const client = new Client({ connectionString: primary.url });
    await client.connect();
    try {
      await client.query(`SELECT pg_backup_start('pair', true)`);
      copyFolder(primary.data, this.data);
      const { rows } = await client.query<{ labelfile: string }>(`SELECT labelfile FROM pg_backup_stop(false)`);
      writeFileSync(join(this.data, 'backup_label'), rows[0]!.labelfile);
    } finally {
      await client.end();
    }
    writeFileSync(join(this.data, 'standby.signal'), '');
    writeFileSync(join(this.data, 'postgresql.auto.conf'), '');
  }

  /** Ends the server by a signal and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { pid } = this;
    process.kill(pid, signal);
    await until(() => !isAlive(pid));
    this.server = undefined;
  }

  async kill(): Promise<void> {
    const { pid } = this;
    // A server process that survives the postmaster could still finish its statement.
    for (const one of [pid, ...childrenOf(pid)]) if (isAlive(one)) process.kill(one, 'SIGKILL');
    await until(() => !isAlive(pid));
    this.server = undefined;
  }

  async remove(): Promise<void> {
    if (this.server) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function connectionInfo({ url }: Node, applicationName: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password} application_name=${applicationName}`;
}

/** Without /proc (macOS) none: they notice by themselves that the postmaster is gone. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split(' ').map(Number).filter(Boolean);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The server writes meanwhile: files that disappear during the copy are not part of the data. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from)) {
    if (NOT_COPIED.has(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    try {
      if (!statSync(source).isDirectory()) copyFileSync(source, target);
      else if (COPIED_EMPTY.has(name)) mkdirSync(target, { mode: 0o700 });
      else copyFolder(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
