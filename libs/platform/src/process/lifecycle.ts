import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config';
import type { Health } from '../observe/health';

/** A process ends either on request (SIGTERM, Ctrl-C) or because of a fault that an operator has to fix. */

const FORCE_AFTER_MS = 30_000;
/** How long closing connections may take after the work has stopped. */
const CLOSE_MS = 5_000;
const SAME_REQUEST_MS = 1_000;

/** How a process that receives traffic stops: it reports itself as not ready first. */
export type Drain = {
  config: Pick<Config, 'CLARION_DRAIN_DELAY_MS' | 'CLARION_DRAIN_MS'>;
  health: Health;
  /** The number of roles in the process; each gets the drain time, one after the other. */
  stages?: number;
};

/** Runs `stop` once and serves for the drain delay. A second signal, or a slow stop, ends the process. */
export function whenAskedToStop(stop: () => Promise<void>, drain?: Drain): void {
  let askedAt: number | undefined;
  const handle = (): void => {
    if (askedAt !== undefined) {
      // One Ctrl-C can arrive twice: from the terminal and from npm.
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

/** Prints one sentence for a known fault, and the whole error for an unknown one. */
export function exitOnFault(error: unknown): never {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}

export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as Error & { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') {
    const where = address ? ` on ${address}` : '';
    const example = `PORT=${(port ?? 3000) + 1} npm start`;
    return `Port ${port} is in use${where}: stop the other program or set PORT to a free one, e.g. ${example}`;
  }
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} needs more rights than this user has: set PORT to a number above 1023`;
  if (code === 'EADDRNOTAVAIL')
    return `${address} is not an address of this machine: set HOST to one that is, e.g. HOST=127.0.0.1`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `Cannot reach ${address ?? 'a server'}${port ? `:${port}` : ''}: ${error.message}`;
  if (POSTGRES_REFUSALS.has(code ?? '')) return `Postgres refuses the connection, check DATABASE_URL: ${error.message}`;
  return KNOWN_FAULTS.has(error.name) ? error.message : (error.stack ?? error.message);
}

/** Wrong user name, wrong password or missing database: waiting does not help. */
const POSTGRES_REFUSALS = new Set(['28000', '28P01', '3D000']);

/** Errors whose message is written for operators. */
const KNOWN_FAULTS = new Set([
  'ConfigError',
  'DataDirInUseError',
  'EmbeddedServerError',
  'QueueBackendError',
  'SchemaError',
  'DomainError',
  'OperatorError',
]);

/** A fault that the operator can fix; the message explains how. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** Reports all faults that prevent the start in one message. */
export function refuseFaults(faults: (string | undefined)[]): void {
  const found = faults.filter((fault) => fault !== undefined);
  if (found.length === 1) throw new OperatorError(found[0]);
  if (found.length > 1) {
    throw new OperatorError(
      `There are ${found.length} faults to fix first:\n${found.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
}
