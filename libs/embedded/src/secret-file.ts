import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { systemErrorCode } from './embedded-server-error';

/** Reads or creates the secret (0600). It is synced first: a server whose password was lost is useless. */
export function readOrCreateSecret(file: string, make: () => string = randomSecret): string {
  const kept = readSecret(file);
  if (kept !== undefined) return kept;
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const descriptor = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(descriptor, `${make()}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    publish(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

const randomSecret = (): string => randomBytes(24).toString('base64url');

export function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A link, unlike a rename, never replaces a file: two processes that start together both use the first secret. */
function publish(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    // A full disk leaves an empty file; some file systems have no hard links.
    if (systemErrorCode(error) !== 'EEXIST' || readSecret(file) === undefined) renameSync(fresh, file);
  }
}
