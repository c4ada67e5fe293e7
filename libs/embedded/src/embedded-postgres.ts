/**
 * A private Postgres for `npm start`, the tools and the tests: the real server, from npm, on the loopback address.
 *
 * A data folder has one server. A second process uses the running server (`started: false`), unless its owner is gone:
 * then its watchdog is stopping it, and this process waits and starts a new one. Postgres' `postmaster.pid` is
 * authoritative; our record next to it adds the owner.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dataDirError, ensureDataDir } from './data-dir';
import { EmbeddedServerError } from './embedded-server-error';
import { explainLoadFailure, findPostgresBinaries, type PostgresBinaries } from './postgres-binaries';
import {
  POSTGRES_USER,
  postgresEnvironment,
  prepareCluster,
  mostRelevantLine,
  type PostgresPaths,
} from './postgres-cluster';
import { portOfRunningServer, readPidFile } from './postgres-running';
import { readSecret } from './secret-file';
import { freePort, startServer, supervise, type ServerProcess, type Supervised } from './server-process';
import { removeServerRecord, writeServerRecord } from './server-record';
import type { StopSignals } from './watchdog';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Server settings. They override ours, except the address and port. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log?: (line: string) => void;
  /** The port; without it, one that is free. */
  readonly port?: number;
  /** A folder with `bin` and `lib` of Postgres, in paths of the one from npm. */
  readonly nativeDir?: string;
  /** How long a start may last without output of the server; crash recovery prints every few seconds. */
  readonly startTimeoutMs?: number;
}

export interface EmbeddedPostgres extends Supervised {
  readonly url: string;
  readonly port: number;
  /** False when the server of another process is used; then `stop()` does nothing and `died` never resolves. */
  readonly started: boolean;
}

// Small when idle, durable on power loss, stable under bursts. Parallel query is off because it uses /dev/shm, which is
// tiny in containers. DETAIL and statements are kept out of the log because they contain personal data.
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '64MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_buffers: '2MB',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '10min',
  work_mem: '8MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  logging_collector: 'off',
  log_destination: 'stderr',
};

const SIGNALS: StopSignals = { first: 'SIGINT', last: 'SIGQUIT', graceMs: 30_000 };
const POLL_MS = 20;
const ATTEMPTS = 10;
const START_TIMEOUT_MS = 60_000;

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = realpathSync(ensureDataDir(options.dataDir));
  const paths: PostgresPaths = {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    passwordFile: join(dataDir, 'postgres.password'),
    record: join(dataDir, 'postgres.server.json'),
  };
  try {
    return (await reuse(paths)) ?? (await start(paths, options));
  } catch (error) {
    throw dataDirError(dataDir, error);
  }
}

async function reuse(paths: PostgresPaths): Promise<EmbeddedPostgres | undefined> {
  const port = await portOfRunningServer(paths);
  if (port === undefined) return undefined;
  const url = urlOf(port, existingPassword(paths));
  return { url, port, started: false, stop: async () => undefined, died: new Promise(() => undefined) };
}

async function start(paths: PostgresPaths, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const settings = { ...SETTINGS, ...options.settings };
  const binaries = findPostgresBinaries(options.nativeDir);
  const account = await prepareCluster(paths, binaries, settings.fsync === 'off');
  const password = existingPassword(paths);

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const args = { ...settings, port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
    const server = await startServer(
      account.runAs({
        file: binaries.postgres,
        args: ['-D', paths.cluster, ...Object.entries(args).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        cwd: '/',
        env: postgresEnvironment(),
      }),
      SIGNALS,
      log,
    );
    const supervised = supervise('Postgres', server, mostRelevantLine, () =>
      removeServerRecord(paths.record, server.pid),
    );
    if (await becomesReady(paths, server, options.startTimeoutMs ?? START_TIMEOUT_MS)) {
      return { url: urlOf(port, password), port, started: true, ...supervised };
    }

    const output = server.output.join('\n');
    if (output.includes('lock file "postmaster.pid" already exists')) {
      const other = await reuse(paths);
      if (other) return other;
    }
    // The port was taken in the meantime, or children of a killed server still hold its shared memory.
    const passes = /could not bind|could not create any TCP|already exists|pre-existing shared memory/.test(output);
    if (!passes || attempt === ATTEMPTS) throw await startFailure(server, binaries);
    await delay(100);
  }
}

/** False when the server exited; throws when there is no output for too long. */
async function becomesReady(paths: PostgresPaths, server: ServerProcess, timeoutMs: number): Promise<boolean> {
  let recorded = false;
  while (!server.hasExited()) {
    const state = readPidFile(paths.cluster);
    const ours = state?.pid === server.pid;
    // Only once the data folder is ours: an existing record may belong to another server.
    if (ours && !recorded) {
      recorded = true;
      writeServerRecord(paths.record, server.pid);
    }
    // A standby, whose data folder contains `standby.signal`, reports that it accepts reads.
    if (ours && (state.status === 'ready' || state.status === 'standby')) return true;
    if (Date.now() - server.lastOutputAt() > timeoutMs) {
      const last = mostRelevantLine(server.output) ?? 'it printed nothing';
      await server.stop();
      throw new EmbeddedServerError(
        `The embedded Postgres did not start within ${Math.round(timeoutMs / 1000)} seconds (${last}): ` +
          'look at the load of this machine and its disk, then start again.',
      );
    }
    await Promise.race([server.exited, delay(POLL_MS)]);
  }
  return false;
}

async function startFailure(server: ServerProcess, binaries: PostgresBinaries): Promise<EmbeddedServerError> {
  const how = await server.exited;
  const load = explainLoadFailure(server.output, binaries.postgres);
  return new EmbeddedServerError(
    load ?? `The embedded Postgres did not start: ${mostRelevantLine(server.output) ?? how}.`,
  );
}

function urlOf(port: number, password: string): string {
  return `postgres://${POSTGRES_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

function existingPassword(paths: PostgresPaths): string {
  const password = readSecret(paths.passwordFile);
  if (password !== undefined) return password;
  throw new EmbeddedServerError(
    `The password of the embedded Postgres is missing (${paths.passwordFile}): restore that file, ` +
      'or set CLARION_DATA_DIR to another folder to begin with an empty database.',
  );
}
