/** Clarion as it is deployed: one process for each role, each with its metrics on a separate port. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { programFile, SecretBox } from '@clarion/platform';
import {
  createTestDatabase,
  type FakeProvider,
  freePorts,
  startFakeProvider,
  type TestDatabase,
  testQueueBackend,
  uniquePrefix,
} from '@clarion/testing';

const APPS = [
  'gateway',
  'engine',
  'worker-email',
  'worker-sms',
  'worker-chat',
  'worker-push',
  'worker-in-app',
] as const;
type App = (typeof APPS)[number];

const KEY = 'a-key-for-the-observer';
const PROVIDERS = ['sendgrid', 'twilio'];

export type Clarion = {
  test: TestDatabase;
  provider: FakeProvider;
  /** The metrics addresses of each app. */
  targets: Record<App, string[]>;
  /** The environment variables of an on-call engineer. */
  variables: Record<string, string>;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  start(app: App): Promise<void>;
  stop(app: App): Promise<void>;
  close(): Promise<void>;
};

export async function startClarion(): Promise<Clarion> {
  const test = await createTestDatabase();
  const provider = await startFakeProvider();
  const backend = testQueueBackend(test.url);
  const ports = await freePorts(APPS.length);
  const portOf = (app: App): string => String(ports[APPS.indexOf(app)]);
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: test.url,
    CLARION_ENCRYPTION_KEY: SecretBox.generateKey(),
    CLARION_QUEUE: backend.kind,
    ...(backend.kind === 'redis' && { REDIS_URL: backend.url }),
    CLARION_QUEUE_PREFIX: uniquePrefix(),
    CLARION_API_KEY: KEY,
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify(Object.fromEntries(PROVIDERS.map((id) => [id, provider.url]))),
    LOG_LEVEL: 'warn',
  };
  const migration = spawnSync(process.execPath, [programFile('standalone', { program: 'clarion' }), 'migrate'], {
    env: environment,
    encoding: 'utf8',
  });
  if (migration.status !== 0) throw new Error(`the migration failed: ${migration.stdout}${migration.stderr}`);

  const running = new Map<App, ChildProcess>();
  const start = async (app: App): Promise<void> => {
    const port = app === 'gateway' ? { PORT: portOf(app) } : { CLARION_OBSERVE_PORT: portOf(app) };
    const child = fork(programFile(app), { env: { ...environment, ...port }, silent: true });
    running.set(app, child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`${app} ended with ${code}: ${said}`)));
    });
  };
  const stop = async (app: App): Promise<void> => {
    const child = running.get(app);
    if (!child) return;
    running.delete(app);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  await Promise.all(APPS.map(start));
  return {
    test,
    provider,
    targets: Object.fromEntries(APPS.map((app) => [app, [`127.0.0.1:${portOf(app)}`]])) as Record<App, string[]>,
    variables: {
      URL: `http://127.0.0.1:${portOf('gateway')}`,
      OBSERVE: `http://127.0.0.1:${portOf('gateway')}`,
      KEY,
      DATABASE_URL: test.url,
      CLARION_ENCRYPTION_KEY: environment.CLARION_ENCRYPTION_KEY,
      REDIS_URL: process.env['CLARION_TEST_REDIS_URL'] ?? '',
    },
    async call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const response = await fetch(`http://127.0.0.1:${portOf('gateway')}${path}`, {
        method,
        headers: { authorization: `ApiKey ${KEY}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    start,
    stop,
    async close() {
      await Promise.all([...running.keys()].map(stop));
      await provider.close();
      await test.drop();
    },
  };
}
