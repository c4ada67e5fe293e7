/**
 * Postgres refuses to run as root. When this process is root (containers, small servers), Postgres runs under the
 * account that owns its data, else `postgres`, else `nobody`. That account may be unable to reach a checkout below a
 * private home folder; then it gets, through setpriv, only the two capabilities that let it traverse folders.
 */
import { lchownSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedServerError, messageOf } from './embedded-server-error';
import { findProgram } from './find-program';
import { explainLoadFailure, type PostgresBinaries } from './postgres-binaries';
import { run, type Command } from './server-process';

export type RunAs = (command: Command) => Command;

interface SystemAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresAccount {
  readonly runAs: RunAs;
  /** Changes the owner of a path to the account; does nothing when that is the current user. */
  own(path: string): void;
  /** The major version, for instance 17. */
  readonly majorVersion: number;
}

const CAPABILITIES = '+dac_override,+dac_read_search';
// Checks the two paths that a start needs: the data folder and the program. The first word of the output tells which
// one failed.
const REACH = 'cd "$1" || { echo unreachable-data; exit 1; }; exec "$0" --version';

/** Chooses the account for the Postgres in `folder`, which must exist, and checks that it can reach the folder. */
export async function choosePostgresAccount(
  binaries: PostgresBinaries,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) {
    const output = await reach({ file: binaries.postgres, args: ['--version'], cwd: '/', env });
    return { runAs: (command) => command, own: () => undefined, majorVersion: versionOr(output, binaries, folder) };
  }

  const account = ownerOf(folder) ?? systemAccount();
  const own = (path: string): void => changeOwner(path, account);
  own(folder);

  const probe: Command = { file: '/bin/sh', args: ['-c', REACH, binaries.postgres, folder], cwd: '/', env };
  const asAccount: RunAs = (command) => ({ ...command, uid: account.uid, gid: account.gid });
  const output = await reach(asAccount(probe));
  const majorVersion = parseVersion(output);
  if (majorVersion !== undefined) return { runAs: asAccount, own, majorVersion };

  const setpriv = findProgram('setpriv');
  const withCaps = setpriv === undefined ? undefined : withCapabilities(setpriv, account);
  const version = withCaps && parseVersion(await reach(withCaps(probe)));
  if (withCaps && version !== undefined) return { runAs: withCaps, own, majorVersion: version };
  return { runAs: asAccount, own, majorVersion: versionOr(output, binaries, folder, account) };
}

async function reach(probe: Command): Promise<string[]> {
  try {
    return (await run(probe)).output;
  } catch (error) {
    return [messageOf(error)];
  }
}

/** "invalid binary" on standard error means that the program runs but cannot locate itself, so initdb would fail. */
function parseVersion(output: readonly string[]): number | undefined {
  if (output.some((line) => line.includes('invalid binary'))) return undefined;
  for (const line of output) {
    const major = /^postgres \(PostgreSQL\) (\d+)/.exec(line)?.[1];
    if (major) return Number(major);
  }
  return undefined;
}

function versionOr(
  output: readonly string[],
  binaries: PostgresBinaries,
  folder: string,
  account?: SystemAccount,
): number {
  const version = parseVersion(output);
  if (version !== undefined) return version;
  const unreachable = output.includes('unreachable-data')
    ? folder
    : output.some((line) => /permission denied|EACCES/i.test(line))
      ? binaries.postgres
      : undefined;
  if (unreachable !== undefined) {
    const who = account ? `The user "${account.name}" (Postgres does not run as root)` : 'This user';
    throw new EmbeddedServerError(
      `${who} cannot reach ${unreachable}: move it out of a private folder, ` +
        'or set CLARION_DATA_DIR to a folder every user can reach, or set DATABASE_URL to a Postgres of your own.',
    );
  }
  const last = output.at(-1) ?? 'no output';
  throw new EmbeddedServerError(
    explainLoadFailure(output, binaries.postgres) ??
      `The embedded Postgres cannot be run (${last}): set DATABASE_URL to a Postgres of your own.`,
  );
}

function withCapabilities(setpriv: string, account: SystemAccount): RunAs {
  const options = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    // Without it access(2), which Postgres uses to find its own program, ignores the capabilities.
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${CAPABILITIES}`,
    `--ambient-caps=${CAPABILITIES}`,
    '--',
  ];
  return (command) => ({ ...command, file: setpriv, args: [...options, command.file, ...command.args] });
}

function ownerOf(folder: string): SystemAccount | undefined {
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { name: String(uid), uid, gid };
}

function systemAccount(): SystemAccount {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  for (const wanted of ['postgres', '_postgres', 'nobody']) {
    const account = accounts.find(({ name }) => name === wanted);
    if (account) return account;
  }
  throw new EmbeddedServerError(
    'Postgres does not run as root and there is no user `postgres` or `nobody` here: start Clarion as another user, ' +
      'or set DATABASE_URL to a Postgres of your own.',
  );
}

/** Changes the top folder last, so that an interrupted walk is repeated and a completed one costs nothing. */
function changeOwner(path: string, account: SystemAccount): void {
  const stat = lstatSync(path);
  if (stat.uid === account.uid) return;
  if (stat.isDirectory()) readdirSync(path).forEach((name) => changeOwner(join(path, name), account));
  lchownSync(path, account.uid, account.gid);
}
