/**
 * The folder of everything embedded, and the lock that keeps two `npm start` from sharing it.
 *
 * Node has no flock, and a lock file that is deleted when it looks stale can be deleted under a newcomer's feet. So each
 * process makes a file of its own and only then looks at the others: two that meet can both step back, but never both go
 * on. A file whose process is gone (same number and same birth) means nothing, and whoever sees it removes it.
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

/** Another Clarion works on this data folder. */
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

interface Claim extends ProcessIdentity {
  /** False while its maker is still looking at the others. */
  readonly held: boolean;
}

const CLAIM = /^lock\.\d+\.[0-9a-f]+$/;
const ATTEMPTS = 50;

/** Creates the folder when needed and takes it for this process; throws `DataDirInUseError` when another has it. */
export function lockDataDir(dataDir: string): DataDirLock {
  const folder = ensureDataDir(dataDir);
  const me = identify(process.pid) ?? { pid: process.pid, born: '' };
  const name = `lock.${me.pid}.${randomBytes(6).toString('hex')}`;
  const file = join(folder, name);
  const release = (): void => rmSync(file, { force: true });

  for (let attempt = 1; ; attempt += 1) {
    writeClaim(folder, file, { ...me, held: false });
    const rival = strongest(otherClaims(folder, name));
    if (rival === undefined) {
      writeClaim(folder, file, { ...me, held: true });
      return { release };
    }
    release();
    if (rival.held || attempt === ATTEMPTS) throw new DataDirInUseError(folder, rival.pid);
    pause(5 + Math.random() * 20);
  }
}

/** Creates the data folder and answers its absolute path; every refusal of the system becomes one sentence. */
export function ensureDataDir(dataDir: string): string {
  const folder = resolve(dataDir);
  try {
    // As root, Postgres runs under another account and must be able to pass through; the secrets inside are 0600.
    if (makeFolder(folder)) chmodSync(folder, 0o711);
    // EEXIST of mkdir hides a plain file in the folder's place.
    readdirSync(folder);
  } catch (error) {
    throw dataDirError(folder, error);
  }
  return folder;
}

/** True when it was not there. (Node's recursive mkdir never returns on file systems that take no folders, such as /proc.) */
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

/** Puts what the system said about a file in the data folder into one sentence; unknown errors come back unchanged. */
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

function writeClaim(folder: string, file: string, claim: Claim): void {
  try {
    // Written aside and renamed, so that nobody ever reads half a claim.
    writeFileSync(`${file}.tmp`, JSON.stringify(claim), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  } catch (error) {
    throw dataDirError(folder, error);
  }
}

function otherClaims(folder: string, ownName: string): Claim[] {
  const claims: Claim[] = [];
  for (const name of readdirSync(folder)) {
    if (name === ownName || !CLAIM.test(name)) continue;
    const claim = readClaim(join(folder, name));
    if (claim && isRunning(claim)) claims.push(claim);
    else rmSync(join(folder, name), { force: true });
  }
  return claims;
}

function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim;
  } catch {
    return undefined;
  }
}

function strongest(claims: Claim[]): Claim | undefined {
  return claims.find((claim) => claim.held) ?? claims[0];
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
