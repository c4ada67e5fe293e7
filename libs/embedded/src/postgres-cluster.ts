/** The files of the embedded Postgres: created once, checked at every start. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedServerError, systemErrorCode } from './embedded-server-error';
import { choosePostgresAccount, type PostgresAccount } from './postgres-account';
import { explainLoadFailure, type PostgresBinaries } from './postgres-binaries';
import { identify } from './process-identity';
import { readOrCreateSecret, readSecret } from './secret-file';
import { run } from './server-process';

export const POSTGRES_USER = 'postgres';

export interface PostgresPaths {
  readonly dataDir: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly record: string;
}

/** Creates the cluster at the first start; returns the account that its server runs under. */
export async function prepareCluster(
  paths: PostgresPaths,
  binaries: PostgresBinaries,
  noSync: boolean,
): Promise<PostgresAccount> {
  const { cluster } = paths;
  if (existsSync(cluster) && statSync(cluster).isDirectory() && readdirSync(cluster).length === 0) rmdirSync(cluster);
  if (!existsSync(cluster)) return initialise(paths, binaries, noSync);

  const version = readSecret(join(cluster, 'PG_VERSION'));
  if (version === undefined) {
    throw new EmbeddedServerError(
      `${cluster} is not a Postgres data folder: move it away, or set CLARION_DATA_DIR to another folder.`,
    );
  }
  const account = await choosePostgresAccount(binaries, cluster, postgresEnvironment());
  if (Number(version) !== account.majorVersion) {
    throw new EmbeddedServerError(
      `The data in ${cluster} was made by Postgres ${version} and this Clarion brings ${account.majorVersion}: ` +
        `move the data over with pg_dump and pg_restore, or set DATABASE_URL to a Postgres ${version}.`,
    );
  }
  // Postgres refuses a data folder that others can enter, which many tools create on restore.
  const mode = statSync(cluster).mode & 0o777;
  if (mode !== 0o700 && mode !== 0o750) chmodSync(cluster, 0o700);
  return account;
}

/** Works in a temporary folder and renames it at the end, so that a killed first start leaves no incomplete cluster. */
async function initialise(paths: PostgresPaths, binaries: PostgresBinaries, noSync: boolean): Promise<PostgresAccount> {
  removeAbandoned(paths.dataDir);
  const fresh = mkdtempSync(join(paths.dataDir, `postgres.new-${process.pid}-`));
  const passwordCopy = `${fresh}.password`;
  try {
    const account = await choosePostgresAccount(binaries, fresh, postgresEnvironment());
    // initdb reads the password under the account of the server; the permanent file is readable only by this user.
    writeFileSync(passwordCopy, readOrCreateSecret(paths.passwordFile), { mode: 0o600 });
    account.own(passwordCopy);
    const { succeeded, how, output } = await run(
      account.runAs({
        file: binaries.initdb,
        args: [
          `--pgdata=${fresh}`,
          `--username=${POSTGRES_USER}`,
          `--pwfile=${passwordCopy}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--no-instructions',
          ...(noSync ? ['--no-sync'] : []),
        ],
        cwd: '/',
        env: postgresEnvironment(),
      }),
    );
    if (!succeeded) {
      throw new EmbeddedServerError(
        explainLoadFailure(output, binaries.initdb) ??
          `The embedded Postgres could not create its data in ${paths.dataDir}: ` +
            `${mostRelevantLine(output) ?? `initdb ${how}`}.`,
      );
    }
    publish(fresh, paths);
    return account;
  } finally {
    rmSync(passwordCopy, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

function publish(fresh: string, paths: PostgresPaths): void {
  try {
    renameSync(fresh, paths.cluster);
  } catch (error) {
    // Another process was faster; its cluster has the same password.
    if (systemErrorCode(error) !== 'ENOTEMPTY' && systemErrorCode(error) !== 'EEXIST') throw error;
  }
  const folder = openSync(paths.dataDir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes temporary folders of killed starts. A pid can equal ours by chance, as in a restarted container. */
function removeAbandoned(dataDir: string): void {
  const ourStart = Date.now() - process.uptime() * 1000;
  for (const name of readdirSync(dataDir)) {
    const ownerPid = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(ownerPid)) continue;
    const path = join(dataDir, name);
    const isInUse = ownerPid === process.pid ? statSync(path).ctimeMs > ourStart : identify(ownerPid) !== undefined;
    if (!isInUse) rmSync(path, { recursive: true, force: true });
  }
}

/** The environment of the server: no secrets, no PG* variables, messages in English. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH } = process.env;
  return { PATH, TMPDIR, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** The most relevant line: the last error if there is one, else the last line, without its level. */
export function mostRelevantLine(output: readonly string[]): string | undefined {
  const line = output.findLast((text) => /\b(FATAL|PANIC|error):/.test(text)) ?? output.at(-1);
  return line?.replace(/^.*?\b(FATAL|PANIC|ERROR|LOG|error):\s*/, '').replace(/\.$/, '');
}
