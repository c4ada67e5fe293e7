import { QueryFailedError } from 'typeorm';

type PostgresError = { code?: string; constraint?: string; message?: string };

function postgresError(error: unknown): PostgresError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as PostgresError;
  return error instanceof Error ? (error as PostgresError) : undefined;
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

/** The row has no partition: none exists for its range of ids yet. */
export function isMissingPartition(error: unknown): boolean {
  const cause = postgresError(error);
  return cause?.code === '23514' && (cause.message ?? '').includes('no partition of relation');
}

const UNAVAILABLE_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
  '55P03',
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

/** Postgres is unreachable, starting, full or too slow: the request is fine, and the caller should retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = postgresError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  return code.startsWith('08') || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_TEXT.test(cause.message ?? '');
}

/** Postgres rejects a value that validation accepted (a number out of range, text it cannot store). */
export function isUnstorableValue(error: unknown): boolean {
  const code = postgresError(error)?.code ?? '';
  return ['22003', '22P02', '22P05', '22021', '22007', '22008', '54000', '54001'].includes(code);
}

/** Whether the statement took longer than it may. */
export const isStatementTimeout = (error: unknown): boolean => postgresError(error)?.code === '57014';
