import { isNativeError } from 'node:util/types';
import { QueryFailedError } from 'typeorm';

type PostgresError = { code?: string; constraint?: string; message?: string };

function postgresError(error: unknown): PostgresError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as PostgresError;
  // Errors of sockets may be made by another realm, whose `Error` is not ours.
  return isNativeError(error) ? (error as PostgresError) : undefined;
}

/** Deadlock or serialization failure: the same work may succeed when it runs again. */
export function isRetryableConflict(error: unknown): boolean {
  const code = postgresError(error)?.code;
  return code === '40001' || code === '40P01';
}

/** The name of the unique constraint that the error reports, if any. */
export function violatedUniqueConstraint(error: unknown): string | undefined {
  const cause = postgresError(error);
  return cause?.code === '23505' ? (cause.constraint ?? '') : undefined;
}

/** SQLSTATE of a write to a server that accepts none. */
export const READ_ONLY = '25006';

/** A full disk, no memory, a disk that fails: reads may succeed meanwhile. */
const WRITE_FAULTS = ['53100', '53200', '58030', READ_ONLY];

export const isWriteFault = (error: unknown): boolean => WRITE_FAULTS.includes(postgresError(error)?.code ?? '');

/** The row has no partition: none exists for its range of ids yet. */
export function isMissingPartition(error: unknown): boolean {
  const cause = postgresError(error);
  return cause?.code === '23514' && (cause.message ?? '').includes('no partition of relation');
}

/** 08: the connection failed. 53: no disk space, memory or connections are left. */
const UNAVAILABLE_CLASSES = ['08', '53'];
const UNAVAILABLE_CODES = new Set([
  // Postgres was stopped, has crashed or is starting.
  '57P01',
  '57P02',
  '57P03',
  // The session was idle for too long.
  '57P05',
  // A standby, or a database that takes no writes now.
  READ_ONLY,
  // A statement or a lock took too long.
  '57014',
  '55P03',
  // The disk reports an error.
  '58030',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const UNAVAILABLE_TEXT = new RegExp(
  [
    'timeout exceeded when trying to connect',
    'Connection terminated',
    'Client has encountered a connection error',
    'not queryable',
    'Driver not Connected',
  ].join('|'),
  'i',
);

/**
 * Postgres is unreachable, starting, full, read-only or too slow: the work itself is fine and may succeed later. The
 * gateway answers 503; engine and workers keep what they have and try again. A partition is missing after the weeks
 * ahead were created only if the clock of this process is weeks ahead of Postgres: another process can do the work.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = postgresError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  return (
    UNAVAILABLE_CLASSES.includes(code.slice(0, 2)) ||
    UNAVAILABLE_CODES.has(code) ||
    isMissingPartition(error) ||
    UNAVAILABLE_TEXT.test(cause.message ?? '')
  );
}

/** Postgres rejects a value that validation accepted (a number out of range, text it cannot store). */
export function isUnstorableValue(error: unknown): boolean {
  const code = postgresError(error)?.code ?? '';
  return ['22003', '22P02', '22P05', '22021', '22007', '22008', '54000', '54001'].includes(code);
}

export const isStatementTimeout = (error: unknown): boolean => postgresError(error)?.code === '57014';

/** Why work failed, in words for the record of a step: they contain nothing of the statement or its values. */
export function faultReason(error: unknown): string {
  if (isStatementTimeout(error)) return 'the database took too long';
  if (isUnstorableValue(error)) return 'the database cannot store or process its data';
  return error instanceof QueryFailedError ? 'the database rejected it' : 'an error inside the service';
}

export const isLockTimeout = (error: unknown): boolean => postgresError(error)?.code === '55P03';

/** The waits between attempts while the database is away; the last one repeats. Shorter than a lease. */
const WAITS_MS = [200, 1_000, 2_000];

/** Runs the work again while the database is away, without an end. Any other error is thrown. */
export async function untilAvailable<T>(
  work: () => Promise<T>,
  { pause, onWait }: { pause(milliseconds: number): Promise<unknown>; onWait?(error: unknown): void },
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      onWait?.(error);
      await pause(WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]!);
    }
  }
}
