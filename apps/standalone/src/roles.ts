import { join } from 'node:path';
import { readOrCreateSecret, readSecret } from '@clarion/embedded';
import { EnvironmentAdmin, makeSignInToken } from '@clarion/gateway';
import { Database, EnvironmentRepository, migrate, openDataSource, SessionRepository } from '@clarion/persistence';
import { type Config, generateApiKey, type Health, type Logger, Metrics, SecretBox } from '@clarion/platform';
import { runTogether } from './run-together';
import type { Servers } from './servers';
import { superviseRoles } from './supervisor';

export type Defaults = {
  key: string | undefined;
  identifier: string;
  /** Opens one session of the dashboard; undefined if no key of the scope admin is left. */
  signInToken: string | undefined;
};

/** The key of the embedded database is stored in the data folder, to be printed at each start. */
export async function prepareDatabase(config: Config, servers: Servers): Promise<Defaults> {
  const dataSource = await openDataSource({ url: servers.directUrl, poolSize: 3, applicationName: 'clarion-start' });
  try {
    await migrate(dataSource, config.CLARION_PARTITIONS);
    const database = new Database(dataSource);
    const environments = new EnvironmentRepository(database);
    const admin = new EnvironmentAdmin(database, environments, new SecretBox(servers.encryptionKeys));
    // Written to disk before the database, so that an interrupted start does not leave an unknown key.
    const given = config.CLARION_API_KEY;
    const file = join(config.CLARION_DATA_DIR, 'api.key');
    const isFirst = (await environments.findOrganization()) === undefined;
    const makesKey = servers.isEmbedded && isFirst && given === undefined;
    const kept = servers.isEmbedded
      ? makesKey
        ? readOrCreateSecret(file, () => generateApiKey('Development'))
        : readSecret(file)
      : undefined;
    const made = await admin.ensureDefaults(isFirst ? (given ?? kept) : undefined);
    const { id } = await admin.organization();
    const [first] = await environments.list(id);
    const signInToken = await makeSignInToken(environments, new SessionRepository(database), first!.id);
    return { key: keyToShow(given, kept ?? made?.key), identifier: first!.identifier, signInToken };
  } finally {
    await dataSource.destroy();
  }
}

/** The operator knows a key from CLARION_API_KEY, and this output is often logged. */
const keyToShow = (given: string | undefined, made: string | undefined): string | undefined =>
  given === undefined ? made : 'the one in CLARION_API_KEY';

type Roles = { url: string; close(): Promise<void> };

export async function startRoles(config: Config, servers: Servers, logger: Logger, health: Health): Promise<Roles> {
  if (config.CLARION_PROCESSES === 'each' || process.argv.includes('--processes'))
    return superviseRoles(config, servers, logger);
  const { databaseUrl, queue: queueBackend, encryptionKeys } = servers;
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  metrics.exportProcess();
  return runTogether({ config, databaseUrl, queueBackend, encryptionKeys, logger, metrics, health });
}
