import { join } from 'node:path';
import { createDataSource, Database, EnvironmentRepository, migrate } from '@clarion/persistence';
import {
  assertPortFree,
  type Config,
  createLogger,
  exitOnFault,
  generateApiKey,
  Health,
  loadConfig,
  lockDataDir,
  type Logger,
  Metrics,
  readOrCreateSecret,
  readSecret,
  SecretBox,
  whenAskedToStop,
} from '@clarion/platform';
import { EnvironmentAdmin } from '@clarion/gateway';
import { type Servers, openServers } from './servers';
import { runTogether } from './run-together';
import { superviseRoles } from './supervisor';

/** Every role in one command; `npm start` runs this. */
async function main(): Promise<void> {
  const startedAt = performance.now();
  const config = loadConfig();
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'clarion', pretty: process.stdout.isTTY });
  // Checked before any server is started, so that the error comes at once.
  await assertPortFree(config.PORT, config.HOST);
  const lock = lockDataDir(config.CLARION_DATA_DIR);
  let servers: Servers | undefined;
  try {
    servers = await openServers(config, (line) => logger.debug(line));
    const defaults = await prepareDatabase(config, servers);
    const health = new Health();
    const roles = await startRoles(config, servers, logger, health);
    const { stop } = servers;
    void servers.died.then(async (reason) => {
      logger.fatal(`${reason}; stopping`);
      await roles.close().catch(() => undefined);
      exitOnFault(new Error(reason));
    });
    const stopAll = async (): Promise<void> => {
      await roles.close();
      await stop();
      lock.release();
    };
    // The gateway, the engine and the workers stop one after the other.
    whenAskedToStop(stopAll, { config, health, stages: 3 });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(welcome(roles.url, defaults, servers.description, seconds));
  } catch (error) {
    await servers?.stop();
    lock.release();
    throw error;
  }
}

type Defaults = { key: string | undefined; identifier: string };

/**
 * Migrates the database and creates the defaults. The key of the embedded database is stored in the data folder, to be
 * printed at each start.
 */
async function prepareDatabase(config: Config, servers: Servers): Promise<Defaults> {
  const dataSource = await createDataSource({
    url: servers.databaseUrl,
    poolSize: 3,
    applicationName: 'clarion-start',
  }).initialize();
  try {
    await migrate(dataSource);
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
    return { key: keyToShow(given, kept ?? made?.key), identifier: first!.identifier };
  } finally {
    await dataSource.destroy();
  }
}

/** The operator knows a key from CLARION_API_KEY, and this output is often logged. */
const keyToShow = (given: string | undefined, made: string | undefined): string | undefined =>
  given === undefined ? made : 'the one in CLARION_API_KEY';

type Roles = { url: string; close(): Promise<void> };

async function startRoles(config: Config, servers: Servers, logger: Logger, health: Health): Promise<Roles> {
  if (config.CLARION_PROCESSES === 'each' || process.argv.includes('--processes'))
    return superviseRoles(config, servers, logger);
  const { databaseUrl, queue: queueBackend, encryptionKeys } = servers;
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  metrics.exportProcess();
  return runTogether({ config, databaseUrl, queueBackend, encryptionKeys, logger, metrics, health });
}

function welcome(url: string, { key, identifier }: Defaults, servers: string, seconds: string): string {
  const rows = [
    ['Base URL', url],
    ['API key', key ?? 'shown when it was made; `npm run clarion -- keys create` makes another'],
    ['Application id', identifier],
    ['API reference', `${url}/docs`],
    ['Data', servers],
  ];
  const lines = rows.map(([name, value]) => `    ${name!.padEnd(16)}${value}`);
  return `\n  Clarion is ready (${seconds} s)\n\n${lines.join('\n')}\n\n  Ctrl-C stops everything.\n\n`;
}

main().catch(exitOnFault);
