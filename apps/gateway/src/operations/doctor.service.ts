import { type DoctorDto, type FindingDto, shellWord } from '@clarion/contracts';
import {
  type Database,
  DoctorRepository,
  type EnvironmentIds,
  EnvironmentRepository,
  inspectDatabase,
  QueuedRowsRepository,
  schemaReport,
  StuckRepository,
} from '@clarion/persistence';
import { type Config, encryptionKeyFault, type SecretBox } from '@clarion/platform';
import { type QueueBackend, queueOfRows } from '@clarion/queue';
import { databaseFindings, schemaFindings } from './doctor-database';
import { queueFindings } from './doctor-queue';
import { requiresHash } from '../inbox/requires-hash';
import { finding } from './finding';

export type Installation = {
  config: Config;
  database: Database;
  secrets: SecretBox;
  /** Undefined while the embedded Redis is not running. */
  queueBackend: QueueBackend | undefined;
  queuePrefix: string;
  /** Whether findings may name hosts: the command line shows them, the API does not. */
  showsHosts: boolean;
  /** Whether findings may be about the whole installation: a tenant sees what its own environments need. */
  showsInstallation: boolean;
};

const OVERDUE_SECONDS = 60;

/** Runs every check; one that cannot look is a bad finding itself. Texts name no secrets. */
export async function examine(installation: Installation, environmentIds: EnvironmentIds): Promise<DoctorDto> {
  const { config, database } = installation;
  const findings: FindingDto[] = [];
  const look = async (check: string, read: () => Promise<FindingDto[]>): Promise<void> => {
    try {
      findings.push(...(await read()));
    } catch (error) {
      const why = installation.showsHosts && error instanceof Error ? `: ${error.message}` : '';
      findings.push(
        finding(check, 'bad', `The check could not be made${why}`, 'Read the log of the server it looks at'),
      );
    }
  };
  if (installation.showsInstallation) {
    await look('postgres', async () => {
      const before = Date.now();
      const state = await inspectDatabase(database.dataSource);
      const offsetMs = state.serverTime - (before + Date.now()) / 2;
      return databaseFindings(state, { offsetMs, poolSize: config.CLARION_DATABASE_POOL });
    });
    await look('schema', async () => schemaFindings(await schemaReport(database.dataSource)));
    await look('row-level security', () => protection(database));
    await look('encryption keys', () => encryption(installation));
    await look('queue', () => queueFindings(installation));
    await look('processes', () => processes(database));
    await look('claims', () => claims(database));
    await look('redaction', () => redaction(database));
  }
  await look('due work', () => dueWork(database, environmentIds));
  await look('integrations', () => integrations(database, environmentIds));
  await look('providers', () => providers(database, environmentIds));
  await look('holds', () => holds(database, environmentIds));
  await look('sandboxes', () => sandboxes(database, environmentIds));
  await look('inbox signatures', () => inboxSignatures(installation, environmentIds));
  await look('webhooks', () => webhooks(database, environmentIds));
  return { isFine: findings.every(({ severity }) => severity !== 'bad'), findings };
}

async function protection(database: Database): Promise<FindingDto[]> {
  const tables = await new DoctorRepository(database).unprotectedTables();
  if (tables.length === 0)
    return [finding('row-level security', 'ok', 'Every table with rows of tenants is protected')];
  const found = `Row-level security is off for: ${tables.join(', ')}`;
  return [
    finding(
      'row-level security',
      'bad',
      found,
      'ALTER TABLE ... ENABLE ROW LEVEL SECURITY, and find out who changed it',
    ),
  ];
}

async function encryption({ database, secrets }: Installation): Promise<FindingDto[]> {
  const fault = encryptionKeyFault(secrets, await new EnvironmentRepository(database).sampleSealedKeys());
  if (fault === undefined) return [finding('encryption keys', 'ok', 'The stored secrets can be opened')];
  return [
    finding(
      'encryption keys',
      'bad',
      fault,
      'Add the key that the secrets were written with to CLARION_ENCRYPTION_KEY',
    ),
  ];
}

async function processes(database: Database): Promise<FindingDto[]> {
  const roles = await new StuckRepository(database).connectedRoles();
  const connected = roles.filter(({ role }) => role !== 'cli').map(({ role, connections }) => `${role} ${connections}`);
  return [
    connected.length > 0
      ? finding('processes', 'ok', `Connections to Postgres by role: ${connected.join(', ')}`)
      : finding('processes', 'warn', 'No process of Clarion is connected', 'Start Clarion, or its roles'),
  ];
}

async function claims(database: Database): Promise<FindingDto[]> {
  const stale = await new DoctorRepository(database).staleClaims();
  if (stale === 0) return [finding('claims', 'ok', 'No process left claims behind')];
  const found = `${stale} claims of processes that are gone were not ended`;
  return [finding('claims', 'bad', found, 'Start an engine: it ends them')];
}

/** Rows that no process has claimed are bad; a role without connections only when rows wait for it. */
async function dueWork(database: Database, environmentIds: EnvironmentIds): Promise<FindingDto[]> {
  return (await new QueuedRowsRepository(database).read(environmentIds)).flatMap((row) => {
    const { type, due, running, oldestDueAt } = row;
    const seconds = oldestDueAt ? (Date.now() - oldestDueAt.getTime()) / 1000 : 0;
    if (due === 0 || seconds < OVERDUE_SECONDS) return [];
    const role = type === 'trigger' ? 'engine' : queueOfRows(type) === 'timer' ? 'engine' : `worker of ${type}`;
    const oldest = `the oldest for ${Math.round(seconds)} s`;
    const found = `${due} rows of the type ${type} are due, ${oldest}; ${running} are claimed`;
    const advice =
      `Is the ${role} running, and can it reach the queue? ` + 'npm run clarion -- stuck says what each row waits for';
    return [finding('due work', running === 0 ? 'bad' : 'warn', found, advice)];
  });
}

async function integrations(database: Database, environmentIds: EnvironmentIds): Promise<FindingDto[]> {
  const unserved = await new DoctorRepository(database).unservedChannels(environmentIds);
  if (unserved.length === 0) {
    return [finding('integrations', 'ok', 'Every channel that production workflows use has an active integration')];
  }
  return unserved.map(({ environment, channel, workflows }) =>
    finding(
      'integrations',
      'bad',
      `${environment} has no active integration for ${channel}, which ${workflows} of its workflows use`,
      `Add or activate an integration for ${channel} in ${environment}`,
    ),
  );
}

/** A message waits only where no other integration of its channel can be called. */
async function providers(database: Database, environmentIds: EnvironmentIds): Promise<FindingDto[]> {
  const stopped = await new DoctorRepository(database).stoppedIntegrations(environmentIds);
  if (stopped.length === 0) return [finding('providers', 'ok', 'Every active integration can be called')];
  return stopped.map(({ environment, providerId, identifier, channel, health, others, hasWork }) => {
    const why = health.reason === undefined ? '' : `: ${health.reason}`;
    const found = `${providerId} (${identifier}) in ${environment} is ${health.state} since ${health.since}${why}`;
    if (health.state === 'failing') {
      return finding('providers', 'bad', `${found}. It is called, and sends no message`, REPAIR_ACCOUNT);
    }
    if (others > 0) return finding('providers', 'warn', found, `Another integration of the channel ${channel} sends`);
    // The state changes with the next call only, and without messages there is none.
    if (!hasWork) return finding('providers', 'warn', `${found}. No message waits for it`, SECOND_INTEGRATION);
    const severity = health.state === 'open' ? 'bad' : 'warn';
    return finding('providers', severity, `${found}. Messages of the channel ${channel} wait`, SECOND_INTEGRATION);
  });
}

const REPAIR_ACCOUNT = 'Look at the reason and at the settings of the account, or pause the integration';
const SECOND_INTEGRATION = 'Look at the status page and the account of the provider, or add a second integration';

async function holds(database: Database, environmentIds: EnvironmentIds): Promise<FindingDto[]> {
  const old = await new DoctorRepository(database).oldHolds(environmentIds);
  if (old.length === 0) return [finding('holds', 'ok', 'Nothing has been held for more than an hour')];
  return old.map(({ environment, target, targetId, targetName, heldBy, reason, createdAt }) => {
    const since = createdAt.toISOString();
    if (target === 'missing_integration') {
      const found = `Messages of the channel ${targetId} in ${environment} have waited since ${since}`;
      return finding('holds', 'warn', found, `Add or activate an integration for ${targetId} in ${environment}`);
    }
    const found = `The ${target} ${targetName} in ${environment} is held since ${since}, by ${heldBy}: ${reason}`;
    return finding(
      'holds',
      'warn',
      found,
      `npm run clarion -- resume ${target} ${targetId} --environment ${shellWord(environment)}`,
    );
  });
}

/** A person who waits for a message of a sandbox should find out here where it is. */
async function sandboxes(database: Database, environmentIds: EnvironmentIds): Promise<FindingDto[]> {
  return (await new DoctorRepository(database).sandboxes(environmentIds)).map(({ environment, email, phone }) => {
    const to = [...(email ? [`emails to ${email}`] : []), ...(phone ? [`text messages to ${phone}`] : [])];
    const redirected =
      to.length > 0 ? `sends ${to.join(' and ')}; all else goes` : 'calls no provider: all messages go';
    return finding('sandboxes', 'ok', `${environment} is a sandbox. It ${redirected} into the outbox`);
  });
}

/** Elsewhere unsigned sessions are for development. */
async function inboxSignatures(
  { database, secrets }: Installation,
  environmentIds: EnvironmentIds,
): Promise<FindingDto[]> {
  const found = await new DoctorRepository(database).openInboxes(environmentIds);
  const open = found.filter((integration) => !requiresHash(secrets, integration));
  if (open.length === 0) return [finding('inbox signatures', 'ok', 'Every inbox of production needs a signed session')];
  return open.map(({ environment }) =>
    finding(
      'inbox signatures',
      'warn',
      `Signatures are off in ${environment}: a page can read the inbox of each subscriber whose id it knows`,
      `Sign sessions (docs/inbox.md), then set inboxSignatures of ${environment} to required`,
    ),
  );
}

async function redaction(database: Database): Promise<FindingDto[]> {
  const overdue = await new DoctorRepository(database).overdueRedactions();
  if (overdue === 0) return [finding('redaction', 'ok', 'No redaction of marked payload fields is overdue')];
  const found = `The marked payload fields of ${overdue} events should have been redacted`;
  return [finding('redaction', 'bad', found, 'Is a gateway running? It redacts them every 5 seconds; read its log')];
}

/** An endpoint that fails is the matter of its owner; entries without a number concern every consumer. */
async function webhooks(database: Database, environmentIds: EnvironmentIds): Promise<FindingDto[]> {
  const { failing, disabled, unnumberedSeconds, furthest } = await new DoctorRepository(database).webhooks(
    environmentIds,
  );
  if (unnumberedSeconds > OVERDUE_SECONDS) {
    const found = `Entries of event logs have waited ${Math.round(unnumberedSeconds)} s for their numbers`;
    return [finding('webhooks', 'bad', found, 'Is a chat worker running? It numbers the entries and sends webhooks')];
  }
  const behind = furthest
    ? `. The furthest behind is ${furthest.id} in ${furthest.environment}, with ${furthest.behind} entries to get`
    : '';
  if (failing + disabled === 0) return [finding('webhooks', 'ok', `No webhook endpoint fails${behind}`)];
  return [
    finding(
      'webhooks',
      'warn',
      `${failing} webhook endpoints fail, and ${disabled} were switched off after failures${behind}`,
      'GET /v1/webhook-endpoints of the environment says why; PATCH with "active": true switches one on again',
    ),
  ];
}
