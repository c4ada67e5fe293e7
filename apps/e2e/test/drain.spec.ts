import { SecretBox } from '@clarion/platform';
import {
  type App,
  type AppProcess,
  createTestDatabase,
  freePort,
  startApp,
  type TestDatabase,
  uniquePrefix,
  until,
} from '@clarion/testing';
import { createDefaults } from './processes';

/** rolling-restarts.full.spec.ts asserts that no work is lost. */
describe('shutdown of a process', () => {
  let test: TestDatabase;
  let key: string;
  const encryptionKeys = SecretBox.generateKey();
  const started: AppProcess[] = [];

  beforeAll(async () => {
    test = await createTestDatabase();
    ({ key } = await createDefaults(test, encryptionKeys));
  });
  afterAll(async () => {
    await Promise.all(started.map((process) => process.stop('SIGKILL')));
    await test.drop();
  });

  const start = async (app: App, drainDelayMs: number) => {
    const port = String(await freePort());
    const process = startApp(app, {
      [app === 'gateway' ? 'PORT' : 'CLARION_OBSERVE_PORT']: port,
      DATABASE_URL: test.url,
      CLARION_ENCRYPTION_KEY: encryptionKeys,
      CLARION_QUEUE: 'postgres',
      CLARION_QUEUE_PREFIX: uniquePrefix(),
      CLARION_DRAIN_DELAY_MS: String(drainDelayMs),
    });
    started.push(process);
    await process.ready;
    return { process, url: `http://127.0.0.1:${port}` };
  };
  const statusOf = async (url: string): Promise<number> => {
    const answer = await fetch(url, { headers: { authorization: `ApiKey ${key}` } });
    await answer.text();
    return answer.status;
  };

  it.each(['gateway', 'engine'] as const)(
    'reports %s as not ready after SIGTERM, keeps serving, and exits at the second SIGTERM',
    async (app) => {
      const { process, url } = await start(app, 600_000);
      expect(await statusOf(`${url}/health/ready`)).toBe(200);
      process.child.kill('SIGTERM');
      await until(async () => (await statusOf(`${url}/health/ready`)) === 503);
      expect(await statusOf(`${url}/health/live`)).toBe(200);
      if (app === 'gateway') expect(await statusOf(`${url}/v2/subscribers`)).toBe(200);
      expect(process.child.exitCode).toBeNull();
      // A signal within a second of the first one counts as the same signal.
      const again = () => {
        process.child.kill('SIGTERM');
        return process.child.exitCode !== null;
      };
      await until(again);
      expect(await process.exited).toBe(1);
    },
  );

  it('stops a worker with code 0 after the drain delay', async () => {
    const { process } = await start('worker-email', 300);
    const begin = performance.now();
    expect(await process.stop()).toBe(0);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(300);
  });
});
