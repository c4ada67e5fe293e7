/** The files of the embedded Postgres: made once, checked at every start. */
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

export interface PostgresPlace {
  readonly dataDir: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly record: string;
}

/** Makes the cluster at the first start; in any case answers under which account its server runs. */
export async function prepareCluster(
  place: PostgresPlace,
  binaries: PostgresBinaries,
  noSync: boolean,
): Promise<PostgresAccount> {
  const { cluster } = place;
  if (existsSync(cluster) && statSync(cluster).isDirectory() && readdirSync(cluster).length === 0) rmdirSync(cluster);
  if (!existsSync(cluster)) return initialise(place, binaries, noSync);

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
  // Postgres refuses a data folder that others can enter, which is how many tools restore one.
  const mode = statSync(cluster).mode & 0o777;
  if (mode !== 0o700 && mode !== 0o750) chmodSync(cluster, 0o700);
  return account;
}

/** Works aside and renames at the end, so that a first start that was killed half way leaves nothing half made. */
async function initialise(place: PostgresPlace, binaries: PostgresBinaries, noSync: boolean): Promise<PostgresAccount> {
  removeAbandoned(place.dataDir);
  const fresh = mkdtempSync(join(place.dataDir, `postgres.new-${process.pid}-`));
  const passwordCopy = `${fresh}.password`;
  try {
    const account = await choosePostgresAccount(binaries, fresh, postgresEnvironment());
    // initdb reads the password under the server's account, and the kept file is ours alone.
    writeFileSync(passwordCopy, readOrCreateSecret(place.passwordFile), { mode: 0o600 });
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
          `The embedded Postgres could not create its data in ${place.dataDir}: ${telling(output) ?? `initdb ${how}`}.`,
      );
    }
    publish(fresh, place);
    return account;
  } finally {
    rmSync(passwordCopy, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

function publish(fresh: string, place: PostgresPlace): void {
  try {
    renameSync(fresh, place.cluster);
  } catch (error) {
    // Another process was first; its cluster has the same password.
    if (systemErrorCode(error) !== 'ENOTEMPTY' && systemErrorCode(error) !== 'EEXIST') throw error;
  }
  const folder = openSync(place.dataDir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Of starts that were killed. A process number may be ours by chance, as in a container that is started again. */
function removeAbandoned(dataDir: string): void {
  const ourStart = Date.now() - process.uptime() * 1000;
  for (const name of readdirSync(dataDir)) {
    const maker = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(maker)) continue;
    const path = join(dataDir, name);
    const atWork = maker === process.pid ? statSync(path).ctimeMs > ourStart : identify(maker) !== undefined;
    if (!atWork) rmSync(path, { recursive: true, force: true });
  }
}

/** The part of ours the server may see: no secrets, no PG* variables, messages in English. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH } = process.env;
  return { PATH, TMPDIR, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** The line that tells most: the last error if there is one, else the last line, without the level in front. */
export function telling(output: readonly string[]): string | undefined {
  const line = output.findLast((text) => /\b(FATAL|PANIC|error):/.test(text)) ?? output.at(-1);
  return line?.replace(/^.*?\b(FATAL|PANIC|ERROR|LOG|error):\s*/, '').replace(/\.$/, '');
}
