import { createHmac } from 'node:crypto';
import type { EnvironmentDto, InboxSessionDto } from '@clarion/contracts';
import type { EnvironmentId } from '@clarion/contracts/core';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TemplateRenderer } from '@clarion/content';
import { createGateway, EnvironmentAdmin } from '@clarion/gateway';
import { KeyDirectory } from '../src/edge/auth/key-directory';
import { WrongKeys } from '../src/edge/auth/wrong-keys';
import type { Route } from '../src/edge/http/route-policy';
import { MaintenanceService } from '../src/operations/maintenance/maintenance.service';
import type { Database, Environment } from '@clarion/persistence';
import { createLogger, Health, loadConfig, Metrics, openTracing, SecretBox } from '@clarion/platform';
import { type QueueBackend, QueueConnection, RealtimeRelay } from '@clarion/queue';
import {
  createTestDatabase,
  deleteDemoIntegrations,
  type FakeProvider,
  startFakeProvider,
  startFewRenderProcesses,
  type TestDatabase,
  testQueueBackend,
  uniquePrefix,
  unrefHandles,
  watchStatements,
} from '@clarion/testing';

export type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T; text: string };

/** The key of the operator of every gateway. */
export const OPERATOR_KEY = 'the-key-of-the-operator-of-this-test';

/** The body of an error response. */
export type Refusal = { message: string; errors: Record<string, { messages: string[] }> };

export type TestGateway = {
  url: string;
  key: string;
  environmentId: EnvironmentId;
  organizationId: string;
  database: Database;
  provider: FakeProvider;
  app: NestFastifyApplication;
  secrets: SecretBox;
  admin: EnvironmentAdmin;
  keys: KeyDirectory;
  health: Health;
  /** Every route of the running server with its policy, except the routes that only answer 405. */
  routes: Route[];
  queueBackend: QueueBackend;
  /** The log lines of the gateway. There are none unless LOG_LEVEL is set. */
  logged: string[];
  queuePrefix: string;
  /** Collects the text of every statement until the returned function is called. */
  watchStatements(): () => string[];
  /** Sends a request with the default key. `path` starts with a slash. */
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  /** Creates a second environment and returns its key, to test isolation. */
  secondKey(): Promise<string>;
  close(): Promise<void>;
};

/** Variables of the gateway, and another queue backend than the one under test. */
type OwnVariables = [environment?: Record<string, string>, otherBackend?: QueueBackend];

/** What gateways share that run on one database. */
type Stage = { test: TestDatabase; secrets: SecretBox; queuePrefix: string; provider: FakeProvider };
type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** The calls to these providers go to a fake that stands for all of them. */
const FAKED = ['sendgrid', 'mailgun', 'resend', 'slack', 'msteams', 'telegram'];

let sharedStage: Promise<Stage> | undefined;
let shared: Promise<Gateway> | undefined;

/**
 * A gateway over real HTTP. The spec files of a worker share it, its database and its providers; each call creates an
 * organization with a Development environment that has no demo providers. With variables, or another queue backend, it
 * is another gateway on the same database.
 */
export async function startGateway(...own: OwnVariables): Promise<TestGateway> {
  const stage = await (sharedStage ??= openStage());
  const gateway = await (own.length > 0 ? openGateway(stage, ...own) : (shared ??= openGateway(stage)));
  const { admin, app, database } = gateway;
  stage.provider.reset();
  // They are counted for the address, which is the same for all files.
  (Reflect.get(app.get(WrongKeys), 'addresses') as Map<string, unknown>).clear();
  const { environment, key } = await admin.createOrganization('Spec', { name: 'Development', type: 'dev' });
  await deleteDemoIntegrations(database, environment.id);
  const close = async (): Promise<void> => {
    if (own.length > 0) await gateway.close();
    await unrefHandles();
  };
  return { ...gatewayOf(gateway, environment, key), close };
}

/**
 * A gateway with a separate database and queue prefix, for specs that count what the whole installation does, or change
 * what all organizations share. Its organization is the first one.
 */
export async function startOwnGateway(...own: OwnVariables): Promise<TestGateway> {
  const stage = await openStage(loadConfig([], own[0] ?? {}).CLARION_DATABASE_POOL);
  const gateway = await openGateway(stage, ...own);
  const { environment, key } = (await gateway.admin.ensureDefaults())!;
  await deleteDemoIntegrations(gateway.database, environment.id);
  const close = async (): Promise<void> => {
    await gateway.close();
    await stage.provider.close();
    await stage.test.drop();
  };
  return { ...gatewayOf(gateway, environment, key), close };
}

async function openStage(poolSize?: number): Promise<Stage> {
  const [test, provider] = await Promise.all([createTestDatabase(poolSize), startFakeProvider()]);
  return { test, provider, secrets: new SecretBox(SecretBox.generateKey()), queuePrefix: uniquePrefix() };
}

async function openGateway(stage: Stage, environment: Record<string, string> = {}, otherBackend?: QueueBackend) {
  const { test, provider, secrets, queuePrefix } = stage;
  const config = loadConfig([], {
    LOG_LEVEL: 'silent',
    CLARION_OPERATOR_KEY: OPERATOR_KEY,
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify(Object.fromEntries(FAKED.map((id) => [id, provider.url]))),
    ...environment,
  });
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'gateway-test', destination });
  const queueBackend = otherBackend ?? testQueueBackend(test.url);
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  const queueOptions = { prefix: queuePrefix, onError: () => undefined, counts: metrics.queue };
  const queueConnection = await QueueConnection.open(queueBackend, queueOptions);
  const relay = new RealtimeRelay(queueBackend, queueOptions);
  const tracing = openTracing(config, 'gateway', logger);
  const health = new Health();
  health.require('database', () => test.database.checkWrites());
  const app = await createGateway({
    config,
    database: test.database,
    queueConnection,
    relay,
    secrets,
    logger,
    tracing,
    metrics,
    health,
  });
  startFewRenderProcesses(app.get(TemplateRenderer));
  await app.listen(0, '127.0.0.1');
  health.started();
  // Periodic work would be counted among the statements and transactions of calls. Specs of it start it themselves.
  await app.get(MaintenanceService).onModuleDestroy();
  return {
    url: `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`,
    database: test.database,
    provider,
    app,
    secrets,
    admin: app.get(EnvironmentAdmin),
    keys: app.get(KeyDirectory),
    health,
    routes: app
      .getHttpAdapter()
      .getInstance()
      .routeTable.filter(({ policy }) => policy.allow === undefined),
    queueBackend,
    logged,
    queuePrefix,
    watchStatements: () => watchStatements(test.dataSource),
    async close() {
      // A client that disconnected from a stream may have opened a connection that it never uses.
      app.getHttpServer().closeAllConnections();
      await app.close();
      await queueConnection.close();
      await relay.close();
      await tracing.close();
    },
  };
}

/** The gateway as the owner of the key sees it. */
function gatewayOf(gateway: Gateway, { id, organizationId }: Environment, key: string): TestGateway {
  return {
    ...gateway,
    key,
    environmentId: id,
    organizationId,
    call: (method, path, body, headers) => callGateway(gateway.url, key, method, path, body, headers),
    secondKey: async () =>
      (await gateway.admin.createEnvironment(organizationId, { name: 'Second', kind: 'development' })).key,
  };
}

export async function callGateway<T>(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `ApiKey ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = isEndless(response) ? '' : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (text === '' ? undefined : JSON.parse(text)) as T,
  };
}

/** A stream of events has no end: the caller disconnects. */
function isEndless(response: Response): boolean {
  if (response.headers.get('content-type') !== 'text/event-stream') return false;
  void response.body!.cancel();
  return true;
}

/** Creates a workflow with one in-app step. */
export const createInAppWorkflow = (gateway: TestGateway, workflowId: string, body = 'Hi'): Promise<Answer> =>
  gateway.call('POST', '/v2/workflows', {
    name: workflowId,
    workflowId,
    steps: [{ name: 'In-app', type: 'in_app', controlValues: { body } }],
  });

/** The signature of a text in inbox sessions. */
export const signatureOf = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('hex');

/** A token that opens the inbox of a subscriber in the environment of the key, which signs the session. */
export async function inboxToken({ url, key }: TestGateway, subscriberId: string, of = key): Promise<string> {
  const { body } = await callGateway<EnvironmentDto>(url, of, 'GET', '/v1/environments/me');
  const session = await callGateway<{ data: InboxSessionDto }>(url, '', 'POST', '/v1/inbox/session', {
    applicationIdentifier: body.identifier,
    subscriber: { subscriberId },
    subscriberHash: signatureOf(subscriberId, of),
  });
  return session.body.data.token;
}

/** Asserts an error response that names exactly these fields. */
export function expectFieldErrors({ status, body }: Answer<unknown>, fields: string[], expected = 422): void {
  expect(status).toBe(expected);
  expect(Object.keys((body as Refusal).errors)).toEqual(fields);
}
