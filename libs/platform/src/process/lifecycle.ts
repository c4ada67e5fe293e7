import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config';
import { EmbeddedServerError } from '../embedded/embedded-server-error';
import type { Health } from '../observe/health';

/** A process ends in one of two ways: asked to (SIGTERM, Ctrl-C), or because of a fault that a person has to mend. */

const FORCE_AFTER_MS = 30_000;
/** What letting go of everything may take once the work has stopped. */
const CLOSE_MS = 5_000;
const SAME_REQUEST_MS = 1_000;

/** How a process that others send work to leaves: first they have to hear of it. */
export type Drain = {
  config: Pick<Config, 'CLARION_DRAIN_DELAY_MS' | 'CLARION_DRAIN_MS'>;
  health: Health;
  /** How many things get the time to finish, one after the other; one, unless roles share the process. */
  stages?: number;
};

/**
 * Runs `stop` once, on the first signal. A process that drains is not ready from then on, and serves for a while those who
 * have not heard of it yet. A second signal, or a stop that takes too long, ends it at once.
 */
export function whenAskedToStop(stop: () => Promise<void>, drain?: Drain): void {
  let askedAt: number | undefined;
  const handle = (): void => {
    if (askedAt !== undefined) {
      // One Ctrl-C may arrive twice: from the terminal and from npm.
      if (performance.now() - askedAt > SAME_REQUEST_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    drain?.health.drain();
    const longest = drain ? longestStop(drain) : FORCE_AFTER_MS;
    setTimeout(() => exitOnFault(new OperatorError(`Stopping took more than ${longest} ms`)), longest).unref();
    delay(drain?.config.CLARION_DRAIN_DELAY_MS ?? 0)
      .then(stop)
      .then(() => process.exit(0), exitOnFault);
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

const longestStop = ({ config, stages = 1 }: Drain): number =>
  config.CLARION_DRAIN_DELAY_MS + stages * config.CLARION_DRAIN_MS + CLOSE_MS;

/** One clear sentence for a fault we know; the whole error for one we do not. */
export function exitOnFault(error: unknown): never {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}

export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as Error & { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use${address ? ` on ${address}` : ''}: stop the other program or set PORT to a free one, e.g. PORT=${(port ?? 3000) + 1} npm start`;
  }
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} needs more rights than this user has: set PORT to a number above 1023`;
  if (code === 'EADDRNOTAVAIL')
    return `${address} is not an address of this machine: set HOST to one that is, e.g. HOST=127.0.0.1`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `Cannot reach ${address ?? 'a server'}${port ? `:${port}` : ''}: ${error.message}`;
  if (POSTGRES_REFUSALS.has(code ?? '')) return `Postgres does not let us in, look at DATABASE_URL: ${error.message}`;
  const isForPeople = error instanceof EmbeddedServerError || KNOWN_FAULTS.has(error.name);
  return isForPeople ? error.message : (error.stack ?? error.message);
}

/** A wrong name or password, or no such database: waiting helps nobody. */
const POSTGRES_REFUSALS = new Set(['28000', '28P01', '3D000']);

/** Errors whose message was written for the person who reads it. */
const KNOWN_FAULTS = new Set([
  'ConfigError',
  'EmbeddedServerError',
  'QueueBackendError',
  'DomainError',
  'OperatorError',
]);

/** A fault that the operator can mend; its message says how. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** Everything that keeps a process from starting, in one message. */
export function refuseFaults(faults: (string | undefined)[]): void {
  const found = faults.filter((fault) => fault !== undefined);
  if (found.length === 1) throw new OperatorError(found[0]);
  if (found.length > 1) {
    throw new OperatorError(
      `There are ${found.length} faults to mend first:\n${found.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
}
