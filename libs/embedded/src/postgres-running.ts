/** Reads `postmaster.pid` of a data folder and decides whether the running server can be used. */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedServerError, systemErrorCode } from './embedded-server-error';
import type { PostgresPaths } from './postgres-cluster';
import { commandLine, identify, isRunning } from './process-identity';
import { readServerRecord } from './server-record';

const POLL_MS = 20;
const READY_TIMEOUT_MS = 60_000;

/** Waits while a server on this folder starts or stops; returns its port when it can be used. */
export async function portOfRunningServer(paths: PostgresPaths): Promise<number | undefined> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let signalled = false;
  for (;;) {
    const state = readPidFile(paths.cluster);
    // Postgres removes the file of a dead server itself, after it has checked the shared memory of its children.
    if (state === undefined || identify(state.pid) === undefined) return undefined;
    const serves = servesCluster(state.pid, paths.cluster);
    if (serves === 'no') {
      // The pid now belongs to another program, which would prevent Postgres from starting.
      rmSync(join(paths.cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    const record = readServerRecord(paths.record);
    const orphan = record?.server.pid === state.pid && !isRunning(record.owner);
    if (!orphan && serves === 'yes' && state.status === 'ready') return state.port;
    if (orphan && !signalled) {
      signalled = true;
      interrupt(state.pid);
    }
    if (serves === 'unclear' || Date.now() > deadline) {
      throw new EmbeddedServerError(
        `Process ${state.pid} holds the Postgres data in ${paths.cluster} and does not become ready: ` +
          'stop it, or set CLARION_DATA_DIR to another folder.',
      );
    }
    await delay(POLL_MS);
  }
}

function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // The process has exited, or belongs to another user: then its watchdog stops it.
  }
}

function servesCluster(pid: number, cluster: string): 'yes' | 'no' | 'unclear' {
  const [program, ...args] = commandLine(pid);
  if (program === undefined) return 'unclear';
  // Without /proc the whole command is one string.
  if (args.length === 0 && /(^|\/)postgres /.test(program)) {
    return program.includes(`-D ${cluster}`) ? 'yes' : 'unclear';
  }
  if (basename(program) !== 'postgres') return 'no';
  const folder = args[args.indexOf('-D') + 1];
  if (!args.includes('-D') || !folder?.startsWith('/')) return 'unclear';
  return existsSync(folder) && realpathSync(folder) === cluster ? 'yes' : 'no';
}

export function readPidFile(cluster: string): { pid: number; port: number; status: string } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
