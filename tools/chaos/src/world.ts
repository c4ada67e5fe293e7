import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { EnvironmentId } from '@clarion/contracts';
import { EnvironmentAdmin } from '@clarion/gateway';
import { createDataSource, Database, EnvironmentRepository, migrate } from '@clarion/persistence';
import { childEnvironment, generateApiKey, SecretBox } from '@clarion/platform';
import { type App, type AppProcess, deleteDemoIntegrations, freePort, startApp } from '@clarion/testing';
import { openPlace, type Place } from './processes';
import { type ProviderLog, startProviderLog } from './provider';
import { startStores, type Stores } from './stores';

const execute = promisify(execFile);

/** A whole deployment on the loopback address: stores, proxies, the provider and supervised processes. */
export type World = {
  stores: Stores;
  provider: ProviderLog;
  places: Place[];
  /** The variables of every process. */
  variables: Record<string, string>;
  gateways(): string[];
  placesOf(app: App): Place[];
  /** A new environment with its own key and without integrations. */
  createEnvironment(name: string): Promise<{ id: EnvironmentId; key: string }>;
  /** Sends a request to a gateway until it succeeds. */
  call<T>(key: string, method: string, path: string, body?: object): Promise<T>;
  /** Ends every fault and waits until each place has a process that is ready. */
  heal(): Promise<void>;
  /** Starts one more process, which the caller stops. */
  startExtra(app: App, variables?: Record<string, string>): Promise<AppProcess>;
  /** Writes a line about this run to its history file. */
  note(line: object): void;
  stop(): Promise<void>;
};

export type WorldOptions = {
  /** Where the history is written. */
  historyFile: string;
  /** The built checkout whose apps run; by default this one. */
  folder?: string;
  /** The schema is that of the checkout, and the only environment is the first one that its command line makes. */
  hasOwnSchema?: boolean;
  /** Another address of the queue than that of the standalone Redis. */
  redisUrl?: string;
  /** Another address of the database than that of the primary behind the proxy. */
  databaseUrl?: (stores: Stores) => Promise<string>;
  places?: App[];
  variables?: Record<string, string>;
};

/** Two of each role whose loss must not be noticed, and one worker of each of the other channels. */
const PLACES: App[] = [
  'gateway',
  'gateway',
  'engine',
  'engine',
  'worker-email',
  'worker-email',
  'worker-in-app',
  'worker-sms',
];

export async function openWorld(options: WorldOptions): Promise<World> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await build(options, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  options: WorldOptions,
  closers: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<World> {
  const stores = await startStores();
  closers.push(() => stores.stop());
  const provider = await startProviderLog();
  closers.push(() => provider.close());
  const encryptionKeys = SecretBox.generateKey();
  const createEnvironment = options.hasOwnSchema
    ? await migrateCheckout(stores, encryptionKeys, options.folder!)
    : await migrateHere(stores, encryptionKeys);

  const databaseUrl = (await options.databaseUrl?.(stores)) ?? stores.databaseUrl;
  const variables = {
    DATABASE_URL: databaseUrl,
    CLARION_ENCRYPTION_KEY: encryptionKeys,
    CLARION_QUEUE: 'redis',
    REDIS_URL: options.redisUrl ?? stores.redisUrl,
    CLARION_QUEUE_PREFIX: 'chaos',
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: provider.url, resend: provider.url, twilio: provider.url }),
    // Longer than the interval of a load balancer that asks whether a gateway is ready.
    CLARION_DRAIN_DELAY_MS: '1000',
    CLARION_RATE_LIMIT: 'false',
    ...options.variables,
  };
  const apps = options.places ?? PLACES;
  const opening = apps.map((app, index) => {
    const number = apps.slice(0, index + 1).filter((one) => one === app).length;
    return openPlace(`${app}-${number}`, app, () => variables, options.folder);
  });
  const opened = await Promise.allSettled(opening);
  const places = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  closers.push(() => Promise.all(places.map((place) => place.stop())));
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  const placesOf = (app: App): Place[] => places.filter((place) => place.app === app);
  const gateways = (): string[] =>
    placesOf('gateway')
      .filter(({ isReady }) => isReady)
      .map(({ url }) => url);

  mkdirSync(join(options.historyFile, '..'), { recursive: true });
  return {
    stores,
    provider,
    places,
    variables,
    gateways,
    placesOf,
    createEnvironment,
    call: <T>(key: string, method: string, path: string, body?: object) =>
      callUntilItSucceeds<T>(gateways, key, method, path, body),
    async heal() {
      await stores.heal();
      for (const place of places) place.resume();
      await Promise.all(places.map((place) => place.ready()));
    },
    async startExtra(app, more = {}) {
      const port = String(await freePort());
      return startApp(app, { ...variables, PORT: port, CLARION_OBSERVE_PORT: port, ...more }, options);
    },
    note: (line) => appendFileSync(options.historyFile, `${JSON.stringify(line)}\n`),
    stop,
  };
}

async function withDatabase<T>(stores: Stores, work: (database: Database) => Promise<T>): Promise<T> {
  const source = await createDataSource({ url: stores.directUrl(), poolSize: 2 }).initialize();
  try {
    return await work(new Database(source));
  } finally {
    await source.destroy();
  }
}

async function migrateHere(stores: Stores, encryptionKeys: string): Promise<World['createEnvironment']> {
  const adminOf = (database: Database): EnvironmentAdmin =>
    new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(encryptionKeys));
  const { id: organizationId } = await withDatabase(stores, async (database) => {
    await migrate(database.dataSource);
    await adminOf(database).ensureDefaults();
    return adminOf(database).organization();
  });
  return (name) =>
    withDatabase(stores, async (database) => {
      const { environment, key } = await adminOf(database).createEnvironment(organizationId, { name, type: 'prod' });
      await deleteDemoIntegrations(database, environment.id);
      return { id: environment.id, key };
    });
}

/** Code of this checkout must not run on the schema of an older one. */
async function migrateCheckout(
  stores: Stores,
  encryptionKeys: string,
  folder: string,
): Promise<World['createEnvironment']> {
  const key = generateApiKey('chaos');
  await runMigrate(folder, stores, { CLARION_ENCRYPTION_KEY: encryptionKeys, CLARION_API_KEY: key });
  return async () => {
    const [environment] = await stores.query<{ id: EnvironmentId }>(`SELECT id FROM environment`);
    await withDatabase(stores, (database) => deleteDemoIntegrations(database, environment!.id));
    return { id: environment!.id, key };
  };
}

/** `clarion migrate` of a built checkout; resolves with what it prints. */
export async function runMigrate(folder: string, stores: Stores, variables: Record<string, string>): Promise<string> {
  const program = join(folder, 'apps/standalone/dist/clarion.js');
  const env = childEnvironment({ ...variables, DATABASE_URL: stores.directUrl() });
  return (await execute(process.execPath, [program, 'migrate'], { env })).stdout;
}

const CALL_DEADLINE_MS = 60_000;

async function callUntilItSucceeds<T>(
  gateways: () => string[],
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const deadline = Date.now() + CALL_DEADLINE_MS;
  for (;;) {
    const answer = await fetch(`${gateways()[0]}${path}`, {
      method,
      headers: { authorization: `ApiKey ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    const text = (await answer?.text().catch(() => undefined)) ?? '';
    if (answer?.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
    if ((answer && answer.status < 500) || Date.now() > deadline)
      throw new Error(`${method} ${path}: ${answer?.status ?? 'no response'} ${text.slice(0, 300)}`);
    await delay(300);
  }
}
