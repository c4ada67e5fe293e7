/**
 * The folder of the embedded servers, and the lock that prevents two `npm start` from sharing it.
 *
 * Node has no flock, and a lock file that is deleted because it looks stale may already belong to a newer process. So
 * each process creates its own claim file first and then reads those of the others: two processes that start together
 * may both step back, but never both continue. A claim of a process that no longer runs (same pid and start time) is
 * void, and every reader removes it.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedServerError, systemErrorCode } from './embedded-server-error';
import { identify, isRunning, type ProcessIdentity } from './process-identity';

export interface DataDirLock {
  release(): void;
}

export class DataDirInUseError extends EmbeddedServerError {
  override readonly name = 'DataDirInUseError';

  constructor(
    dataDir: string,
    readonly pid: number,
  ) {
    super(
      `Clarion already runs on the data folder ${dataDir} (process ${pid}): ` +
        'stop that one first, or set CLARION_DATA_DIR to another folder.',
    );
  }
}

interface FolderClaim extends ProcessIdentity {
  /** False while its process is still reading the other claims. */
  readonly held: boolean;
}

const CLAIM = /^lock\.\d+\.[0-9a-f]+$/;
const ATTEMPTS = 50;

/** Creates and locks the folder; throws `DataDirInUseError` when another process holds it. */
export function lockDataDir(dataDir: string): DataDirLock {
  const folder = ensureDataDir(dataDir);
  const me = identify(process.pid) ?? { pid: process.pid, born: '' };
  const name = `lock.${me.pid}.${randomBytes(6).toString('hex')}`;
  const file = join(folder, name);
  const release = (): void => rmSync(file, { force: true });

  for (let attempt = 1; ; attempt += 1) {
    writeClaim(folder, file, { ...me, held: false });
    const competing = strongest(otherClaims(folder, name));
    if (competing === undefined) {
      writeClaim(folder, file, { ...me, held: true });
      return { release };
    }
    release();
    if (competing.held || attempt === ATTEMPTS) throw new DataDirInUseError(folder, competing.pid);
    pause(5 + Math.random() * 20);
  }
}

/** Creates the data folder and returns its absolute path; system errors become one sentence. */
export function ensureDataDir(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    // As root, Postgres runs under another account, which must be able to traverse the folder; the secrets inside are
    // 0600.
    if (makeFolder(folder)) chmodSync(folder, 0o711);
    // mkdir reports EEXIST also for a plain file in place of the folder.
    readdirSync(folder);
  } catch (error) {
    throw dataDirError(folder, error);
  }
  return folder;
}

/** True when the folder was created. (Node's recursive mkdir never returns on /proc and the like.) */
function makeFolder(folder: string): boolean {
  if (existsSync(folder)) return false;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Turns a system error about a file in the data folder into one sentence; unknown errors are returned unchanged. */
export function dataDirError(folder: string, error: unknown): unknown {
  const fault = FAULTS[systemErrorCode(error) ?? ''];
  if (fault === undefined) return error;
  const sentence = `The data folder ${folder} ${fault}, or set CLARION_DATA_DIR to another folder.`;
  return new EmbeddedServerError(sentence, { cause: error });
}

const NOT_A_FOLDER =
  'cannot be used because it, or a part of its path, is a file and not a folder: move that file away';
const NOT_ALLOWED = 'cannot be written by this user: change its owner or its permissions';
const FAULTS: Partial<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  ENOENT: 'cannot be created here: create it by hand',
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  EROFS: 'is on a file system that is mounted read-only: mount it for writing',
  ENOSPC: 'is on a disk that is full: make room',
  EDQUOT: 'is on a disk where the quota of this user is used up: make room',
};

function writeClaim(folder: string, file: string, claim: FolderClaim): void {
  try {
    // Written to a temporary file and renamed, so that a claim is never read half written.
    writeFileSync(`${file}.tmp`, JSON.stringify(claim), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  } catch (error) {
    throw dataDirError(folder, error);
  }
}

function otherClaims(folder: string, ownName: string): FolderClaim[] {
  const claims: FolderClaim[] = [];
  for (const name of readdirSync(folder)) {
    if (name === ownName || !CLAIM.test(name)) continue;
    const claim = readClaim(join(folder, name));
    if (claim && isRunning(claim)) claims.push(claim);
    else rmSync(join(folder, name), { force: true });
  }
  return claims;
}

function readClaim(file: string): FolderClaim | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as FolderClaim;
  } catch {
    return undefined;
  }
}

function strongest(claims: FolderClaim[]): FolderClaim | undefined {
  return claims.find((claim) => claim.held) ?? claims[0];
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
