/** What Postgres' own `postmaster.pid` tells about the server on a data folder, and whether it is one to rely on. */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedServerError, systemErrorCode } from './embedded-server-error';
import type { PostgresPlace } from './postgres-cluster';
import { commandLine, identify, isRunning } from './process-identity';
import { readServerRecord } from './server-record';

const POLL_MS = 20;
const PATIENCE_MS = 60_000;

/** Waits while a server on this folder starts or stops; answers the port once it is one to rely on. */
export async function portOfRunningServer(place: PostgresPlace): Promise<number | undefined> {
  const giveUp = Date.now() + PATIENCE_MS;
  let signalled = false;
  for (;;) {
    const state = readPidFile(place.cluster);
    // Postgres clears away the file of a dead server itself, after a look at the memory its children may still hold.
    if (state === undefined || identify(state.pid) === undefined) return undefined;
    const serves = servesCluster(state.pid, place.cluster);
    if (serves === 'no') {
      // The number went to another program, which would make Postgres refuse to start.
      rmSync(join(place.cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    const record = readServerRecord(place.record);
    const orphan = record?.server.pid === state.pid && !isRunning(record.owner);
    if (!orphan && serves === 'yes' && state.status === 'ready') return state.port;
    if (orphan && !signalled) {
      signalled = true;
      interrupt(state.pid);
    }
    if (serves === 'unclear' || Date.now() > giveUp) {
      throw new EmbeddedServerError(
        `Process ${state.pid} holds the Postgres data in ${place.cluster} and does not become ready: ` +
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
    // Gone meanwhile, or of another user: then its watchdog is the one to stop it.
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
