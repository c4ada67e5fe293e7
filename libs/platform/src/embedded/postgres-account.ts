/**
 * Postgres refuses to run as root. When we are root (containers, small servers) it runs under the account that already
 * owns its data, else `postgres`, else `nobody`. That account may be unable to reach a checkout below a private home; then
 * it gets, through setpriv, the two capabilities that let it pass through folders it has no right to, and nothing else.
 */
import { lchownSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedServerError, messageOf } from './embedded-server-error';
import { findProgram } from './find-program';
import { explainLoadFailure, type PostgresBinaries } from './postgres-binaries';
import { run, type Command } from './server-process';

/** Turns a command into the same one under the chosen account. */
export type RunAs = (command: Command) => Command;

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresAccount {
  readonly runAs: RunAs;
  /** Gives a path made by us to the account; does nothing when that is ourselves. */
  own(path: string): void;
  /** What `postgres --version` says, for instance 17. */
  readonly majorVersion: number;
}

const CAPABILITIES = '+dac_override,+dac_read_search';
// The two steps of a start that can meet a closed door: the data folder and the program. Told apart by the first word.
const REACH = 'cd "$1" || { echo unreachable-data; exit 1; }; exec "$0" --version';

/** Chooses the account for the Postgres that works in `folder`, which must exist, and proves that it can get there. */
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
  const own = (path: string): void => give(path, account);
  own(folder);

  const probe: Command = { file: '/bin/sh', args: ['-c', REACH, binaries.postgres, folder], cwd: '/', env };
  const plainly: RunAs = (command) => ({ ...command, uid: account.uid, gid: account.gid });
  const output = await reach(plainly(probe));
  const majorVersion = parseVersion(output);
  if (majorVersion !== undefined) return { runAs: plainly, own, majorVersion };

  const setpriv = findProgram('setpriv');
  const empowered = setpriv === undefined ? undefined : withCapabilities(setpriv, account);
  const version = empowered && parseVersion(await reach(empowered(probe)));
  if (empowered && version !== undefined) return { runAs: empowered, own, majorVersion: version };
  return { runAs: plainly, own, majorVersion: versionOr(output, binaries, folder, account) };
}

async function reach(probe: Command): Promise<string[]> {
  try {
    return (await run(probe)).output;
  } catch (error) {
    return [messageOf(error)];
  }
}

/** "invalid binary" on standard error means that the program runs but cannot find itself, so initdb would not work. */
function parseVersion(output: readonly string[]): number | undefined {
  if (output.some((line) => line.includes('invalid binary'))) return undefined;
  for (const line of output) {
    const major = /^postgres \(PostgreSQL\) (\d+)/.exec(line)?.[1];
    if (major) return Number(major);
  }
  return undefined;
}

function versionOr(output: readonly string[], binaries: PostgresBinaries, folder: string, account?: Account): number {
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

function withCapabilities(setpriv: string, account: Account): RunAs {
  const options = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    // Without it access(2), with which Postgres looks for its own program, ignores the capabilities.
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${CAPABILITIES}`,
    `--ambient-caps=${CAPABILITIES}`,
    '--',
  ];
  return (command) => ({ ...command, file: setpriv, args: [...options, command.file, ...command.args] });
}

function ownerOf(folder: string): Account | undefined {
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { name: String(uid), uid, gid };
}

function systemAccount(): Account {
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
    'Postgres does not run as root and there is no user "postgres" or "nobody" here: start Clarion as another user, ' +
      'or set DATABASE_URL to a Postgres of your own.',
  );
}

/** The top comes last: a walk that was cut short is then seen as not done, and one that was done costs nothing again. */
function give(path: string, account: Account): void {
  const stat = lstatSync(path);
  if (stat.uid === account.uid) return;
  if (stat.isDirectory()) readdirSync(path).forEach((name) => give(join(path, name), account));
  lchownSync(path, account.uid, account.gid);
}
