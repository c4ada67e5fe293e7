import { parseArgs } from 'node:util';
import {
  DIALECTS,
  DomainError,
  ENVIRONMENT_TYPES,
  type FieldErrors,
  HOLD_TARGETS,
  type HoldTarget,
  isId,
  KEY_SCOPES,
  LIMITS,
} from '@clarion/contracts';
import { addressesFault, EnvironmentAdmin, expiryFault, type HeldEnvironment, holdsOf } from '@clarion/gateway';
import {
  type ApiKeySummary,
  createDataSource,
  Database,
  type Environment,
  EnvironmentRepository,
  migrate,
  type Organization,
  schemaFault,
  SealedRowRepository,
} from '@clarion/persistence';
import {
  type Config,
  DataDirInUseError,
  describeFault,
  loadConfig,
  lockDataDir,
  OperatorError,
  refuseFaults,
  SecretBox,
} from '@clarion/platform';
import { openDatabase } from './servers';
import { describeUnreadable, resealAll } from './reseal';

const USAGE = `Usage: npm run clarion -- <command> [--json]

  migrate                           bring the database schema up to date
  organizations list
  organizations create <name> [--name <name of its first environment>]
                                    prints its first API key, of the scope admin, once
  environments list [--organization <name or id>]
  environments create <name> [--organization <name or id>] [--type dev|prod] [--dialect spec|novu]
                                    prints its API key, once
  keys list [--environment <name or id>] [--organization <name or id>]
  keys create [--environment <name or id>] [--organization <name or id>] [--name <text>]
              [--scope admin|full|read|trigger] [--expires <time>] [--allow-address <IP or CIDR>]...
                                    prints the API key, once; admin manages all environments of the organization
  keys revoke <key id>
  hold <integration|channel|workflow|environment> <id> [--environment <name or id>] [--reason <text>]
                                    let its messages wait; triggers are still accepted
  resume <integration|channel|workflow|environment> <id> [--environment <name or id>]
                                    release the messages that wait
  keys reseal                       put all stored secrets under the first key of CLARION_ENCRYPTION_KEY

Without DATABASE_URL the commands work on the embedded database, running or not.
The organization defaults to the first one (Default), the environment to the first one of the organization.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    organization: { type: 'string' },
    environment: { type: 'string' },
    name: { type: 'string' },
    scope: { type: 'string' },
    type: { type: 'string' },
    dialect: { type: 'string' },
    reason: { type: 'string' },
    expires: { type: 'string' },
    'allow-address': { type: 'string', multiple: true },
  },
});

type Row = Record<string, string | number | string[] | null | undefined>;
type Tools = {
  admin: EnvironmentAdmin;
  environments: EnvironmentRepository;
  sealed: SealedRowRepository;
  holds: ReturnType<typeof holdsOf>;
  secrets: SecretBox;
};

async function main(): Promise<void> {
  const command = positionals.slice(0, 2).join(' ');
  if (options.help || command === '') return void process.stdout.write(`${USAGE}\n`);
  const config = loadConfig();
  const lock = lockUnlessRunning(config);
  const opened = await openDatabase(config, () => undefined);
  const dataSource = createDataSource({ url: opened.databaseUrl, poolSize: 3, applicationName: 'clarion-cli' });
  try {
    await dataSource.initialize();
    const database = new Database(dataSource);
    const environments = new EnvironmentRepository(database);
    const secrets = new SecretBox(opened.encryptionKeys);
    const admin = new EnvironmentAdmin(database, environments, secrets);
    if (positionals[0] === 'migrate') {
      const applied = await migrate(dataSource);
      await admin
        .ensureDefaults(config.CLARION_API_KEY)
        // The operator knows a key from CLARION_API_KEY, and the output of a Job is logged.
        .then((made) => {
          const key = config.CLARION_API_KEY ? 'the one of CLARION_API_KEY' : made?.key;
          if (made) show([{ environment: made.environment.name, key }]);
        });
      return show(
        applied.map((migration) => ({ migration })),
        'The schema is up to date.',
      );
    }
    refuseFaults([await schemaFault(dataSource)]);
    const sealed = new SealedRowRepository(database);
    await run(command, { admin, environments, sealed, holds: holdsOf(database), secrets });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await opened.stop();
    lock?.release();
  }
}

/**
 * Prevents `npm start` from using a server that ends with this command. While `npm start` runs, this command uses its
 * server.
 */
function lockUnlessRunning(config: Config): { release(): void } | undefined {
  if (config.DATABASE_URL) return undefined;
  try {
    return lockDataDir(config.CLARION_DATA_DIR);
  } catch (error) {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  }
}

async function run(command: string, { admin, environments, sealed, holds, secrets }: Tools): Promise<void> {
  // Throws with instructions when there is no organization yet.
  await admin.organization();
  const organizations = await environments.listOrganizations();
  const organization = (): Organization => select('organization', organizations, options.organization);
  const environment = async (): Promise<Environment> =>
    select('environment', await environments.list(organization().id), options.environment);
  const everywhere = async (): Promise<Environment[]> =>
    (await Promise.all(organizations.map(({ id }) => environments.list(id)))).flat();
  switch (command) {
    case 'organizations list':
      return show(organizations.map(organizationRow));
    case 'organizations create': {
      const first = { name: options.name ?? 'Development', type: 'dev' as const };
      const made = await admin.createOrganization(argument('name'), first);
      return show([{ ...organizationRow(made.organization), environment: made.environment.id, key: made.key }]);
    }
    case 'environments list':
      return show((await environments.list(organization().id)).map(environmentRow));
    case 'environments create': {
      const type = oneOf('type', options.type, ENVIRONMENT_TYPES);
      const dialect = oneOf('dialect', options.dialect, DIALECTS);
      const made = await admin.createEnvironment(organization().id, { name: argument('name'), type, dialect });
      return show([{ ...environmentRow(made.environment), key: made.key }]);
    }
    case 'keys list':
      return show((await environments.listKeys((await environment()).id)).map(keyRow));
    case 'keys create': {
      const scope = oneOf('scope', options.scope, KEY_SCOPES);
      const { name, expires, 'allow-address': allowedAddresses } = options;
      check('expires', expires, expiryFault);
      check('allow-address', allowedAddresses, addressesFault);
      const expiresAt = expires === undefined ? undefined : new Date(expires);
      const wanted = { name, scope, expiresAt, allowedAddresses };
      const { key, summary } = await admin.createKey(await environment(), wanted);
      return show([{ ...keyRow(summary), key }]);
    }
    case 'keys revoke': {
      const id = argument('key id');
      if (!isId(id)) throw new OperatorError(`${id} is not the id of a key`);
      for (const { id: organizationId } of organizations) {
        for (const candidate of await environments.list(organizationId)) {
          if (await admin.revokeKey(candidate, id)) return show([{ id, revoked: 'yes' }]);
        }
      }
      throw new OperatorError(`There is no key with the id ${id} that could be revoked`);
    }
    case 'keys reseal': {
      const reports = await resealAll(secrets, sealed, (line) => void process.stderr.write(`${line}\n`));
      show(options.json ? reports : reports.map(({ unreadableIds: _, ...report }) => report));
      const fault = describeUnreadable(reports);
      if (fault) throw new OperatorError(fault);
      return;
    }
    case `hold ${positionals[1]}`:
    case `resume ${positionals[1]}`: {
      const held = readTarget();
      const places = options.environment || held.target === 'channel' ? [await environment()] : await everywhere();
      return show([positionals[0] === 'hold' ? await hold(holds, held, places) : await resume(holds, held, places)]);
    }
    default:
      throw new OperatorError(`Unknown command "${command}"\n\n${USAGE}`);
  }
}

type HeldTarget = { target: HoldTarget; id: string };

function readTarget(): HeldTarget {
  const target = HOLD_TARGETS.find((known) => known === positionals[1]);
  if (!target) throw new OperatorError(`The target must be one of: ${HOLD_TARGETS.join(', ')}`);
  return { target, id: argument('id') };
}

async function hold(holds: Tools['holds'], { target, id }: HeldTarget, places: Environment[]): Promise<Row> {
  const { reason } = options;
  check('reason', reason, ({ length }) =>
    length > LIMITS.holdReason ? `must have at most ${LIMITS.holdReason} characters` : undefined,
  );
  const { hold: made } = await inOneOf(places, (place) => holds.hold('cli', place, { target, id, reason }));
  const { _id, name, heldBy, createdAt, waitingSteps } = made;
  return { hold: _id, target, id: made.id, name, reason: made.reason, heldBy, since: createdAt, waitingSteps };
}

async function resume(holds: Tools['holds'], { target, id }: HeldTarget, places: Environment[]): Promise<Row> {
  const isResumed = await inOneOf(places, (place) => holds.resumeTarget('cli', place, target, id));
  if (!isResumed) throw new OperatorError(`The ${target} ${id} is not held`);
  return { target, id, resumed: 'yes' };
}

/** The result in the first environment that has the target. */
async function inOneOf<T>(places: Environment[], run: (place: HeldEnvironment) => Promise<T>): Promise<T> {
  let fault: unknown;
  for (const { id, name, organizationId } of places) {
    try {
      return await run({ environmentId: id, environmentName: name, organizationId });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      fault = error;
    }
  }
  const { message, extra } = fault as DomainError;
  const fields = Object.values((extra['errors'] ?? {}) as FieldErrors).flatMap(({ messages }) => messages);
  throw new OperatorError(fields.length > 0 ? fields.join('; ') : message);
}

function argument(name: string): string {
  const value = positionals[2];
  if (!value) throw new OperatorError(`The ${name} is missing\n\n${USAGE}`);
  return value;
}

function oneOf<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
  throw new OperatorError(`--${name} must be one of: ${allowed.join(', ')}`);
}

function check<T>(name: string, value: T | undefined, faultOf: (value: T) => string | undefined): void {
  const fault = value === undefined ? undefined : faultOf(value);
  if (fault !== undefined) throw new OperatorError(`--${name} ${fault}`);
}

/** The item with this name or id, or the first item when none is wanted. */
function select<T extends { id: string; name: string }>(kind: string, all: T[], wanted: string | undefined): T {
  const found = wanted === undefined ? all : all.filter(({ id, name }) => id === wanted || name === wanted);
  if (found.length === 0) {
    throw new OperatorError(`There is no ${kind} "${wanted}"; there are: ${all.map(({ name }) => name).join(', ')}`);
  }
  if (wanted !== undefined && found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new OperatorError(`There are several ${kind}s with the name "${wanted}"; give the id instead: ${ids}`);
  }
  return found[0]!;
}

const organizationRow = ({ id, name, createdAt }: Organization): Row => ({
  id,
  name,
  created: createdAt.toISOString(),
});

const environmentRow = ({ id, name, type, identifier, dialect }: Environment): Row => ({
  id,
  name,
  type,
  identifier,
  dialect,
});

function keyRow(key: ApiKeySummary): Row {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scope: key.scope,
    expires: key.expiresAt?.toISOString() ?? null,
    addresses: key.allowedAddresses?.join(' ') ?? null,
    created: key.createdAt.toISOString(),
    lastUsed: key.lastUsedAt?.toISOString() ?? null,
    revoked: key.revokedAt?.toISOString() ?? null,
  };
}

/** Prints a table, or JSON with --json. */
function show(rows: Row[], whenEmpty = 'None.'): void {
  if (options.json) return void process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.length === 0) return void process.stdout.write(`${whenEmpty}\n`);
  const names = Object.keys(rows[0]!);
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  process.stdout.write(
    `${cells
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd(),
      )
      .join('\n')}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exitCode = 1;
});
