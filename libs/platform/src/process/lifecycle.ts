import { EmbeddedServerError } from '../embedded/embedded-server-error';

/** A process ends in one of two ways: asked to (SIGTERM, Ctrl-C), or because of a fault that a person has to mend. */

const FORCE_AFTER_MS = 30_000;
const SAME_REQUEST_MS = 1_000;

/** Runs `stop` once on the first signal; a second signal, or a stop that takes too long, ends the process at once. */
export function whenAskedToStop(stop: () => Promise<void>): void {
  let askedAt: number | undefined;
  const handle = (): void => {
    if (askedAt !== undefined) {
      // One Ctrl-C may arrive twice: from the terminal and from npm.
      if (performance.now() - askedAt > SAME_REQUEST_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    setTimeout(() => process.exit(1), FORCE_AFTER_MS).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => exitOnFault(error),
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

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
  const isForPeople = error instanceof EmbeddedServerError || KNOWN_FAULTS.has(error.name);
  return isForPeople ? error.message : (error.stack ?? error.message);
}

/** Errors whose message was written for the person who reads it. */
const KNOWN_FAULTS = new Set([
  'ConfigError',
  'EmbeddedServerError',
  'QueueEngineError',
  'DomainError',
  'OperatorError',
]);

/** A fault that the operator can mend; its message says how. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
