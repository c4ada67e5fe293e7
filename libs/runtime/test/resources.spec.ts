import { QueueProducer } from '@clarion/queue';
import { createLogger, Health, loadConfig, Metrics, OperatorError, SecretBox } from '@clarion/platform';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  testQueueBackend,
  uniquePrefix,
  until,
} from '@clarion/testing';
import { openResources, type ProcessContext } from '@clarion/runtime';

describe('openResources', () => {
  const processContext = (test: TestDatabase): ProcessContext => ({
    config: loadConfig([], { LOG_LEVEL: 'silent', CLARION_QUEUE_PREFIX: uniquePrefix() }),
    databaseUrl: test.url,
    queueBackend: testQueueBackend(test.url),
    encryptionKeys: SecretBox.generateKey(),
    logger: createLogger({ level: 'silent', name: 'runtime' }),
    metrics: new Metrics(),
    health: new Health(),
  });

  const connections = async (test: TestDatabase): Promise<number> => {
    const [row] = await test.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'clarion-spec'`,
    );
    return row!.n;
  };

  /** Postgres lists a connection until its server process has ended, shortly after it was closed. */
  const untilClosed = (test: TestDatabase): Promise<void> => until(async () => (await connections(test)) === 0);

  it('opens every resource and closes all of them', async () => {
    const test = await createTestDatabase();
    const resources = await openResources(processContext(test), 'spec');
    await resources.database.ping();
    expect(await new QueueProducer(resources.queueConnection).enqueue('timer', { v: 1, stepIds: [] })).toBe(true);
    const rendering = await resources.templates.render({
      environmentId: 'environment',
      controls: { body: '{{ payload.a }}' },
      variables: { payload: { a: 1 } },
    });
    expect(rendering).toEqual({ ok: true, controls: { body: '1' } });
    expect(await connections(test)).toBeGreaterThan(0);
    await resources.close();
    await untilClosed(test);
    await test.drop();
  });

  it('fails with an OperatorError for an outdated schema and leaves no connection open', async () => {
    const test = await createEmptyDatabase();
    await expect(openResources(processContext(test), 'spec')).rejects.toThrow(OperatorError);
    await untilClosed(test);
    await test.drop();
  });
});
