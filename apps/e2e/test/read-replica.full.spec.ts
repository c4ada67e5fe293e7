import { EnvironmentAdmin, runGateway, type RunningGateway } from '@clarion/gateway';
import { Database, EnvironmentRepository, migrate, openDataSource } from '@clarion/persistence';
import { createLogger, Health, loadConfig, Metrics, SecretBox } from '@clarion/platform';
import { type PostgresPair, startPostgresPair, testQueueBackend, uniquePrefix, until } from '@clarion/testing';

/** Long enough for a change and a list on a busy machine. */
const MOST_LAG_SECONDS = 8;
const STEP = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } };

/** `CLARION_DATABASE_READ_URL` on a real standby, whose replay can be paused. */
describe('read replica', () => {
  let pair: PostgresPair;
  let gateway: RunningGateway;
  const keys: string[] = [];
  const logged: string[] = [];

  beforeAll(async () => {
    pair = await startPostgresPair();
    const encryptionKeys = SecretBox.generateKey();
    const dataSource = await openDataSource({ url: pair.primary.url, poolSize: 3 });
    await migrate(dataSource);
    const database = new Database(dataSource);
    const admin = new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(encryptionKeys));
    const { key, environment } = (await admin.ensureDefaults())!;
    keys.push(key, (await admin.createEnvironment(environment.organizationId, { name: 'Second' })).key);
    await dataSource.destroy();
    await pair.caughtUp();
    const config = loadConfig([], {
      PORT: '0',
      LOG_LEVEL: 'info',
      DATABASE_URL: pair.primary.url,
      CLARION_ENCRYPTION_KEY: encryptionKeys,
      CLARION_DATABASE_READ_URL: pair.standby.url,
      CLARION_DATABASE_READ_LAG_SECONDS: String(MOST_LAG_SECONDS),
      CLARION_QUEUE_PREFIX: uniquePrefix(),
    });
    const destination = { write: (line: string) => void logged.push(line) };
    gateway = await runGateway({
      config,
      databaseUrl: pair.primary.url,
      queueBackend: testQueueBackend(pair.primary.url),
      encryptionKeys,
      logger: createLogger({ level: 'info', name: 'gateway', destination }),
      metrics: new Metrics(false),
      health: new Health(),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await pair?.stop();
  });

  const call = async (key: string, method: string, path: string, body?: object) => {
    const answer = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, lag: answer.headers.get('clarion-data-lag'), text: await answer.text() };
  };
  const change = (key: string, name: string) =>
    call(key, 'POST', '/v2/workflows', { name, workflowId: name, active: true, steps: [STEP] }).then(({ status }) =>
      expect(status).toBe(201),
    );
  const list = (key = keys[0]!) => call(key, 'GET', '/v1/audit-log?limit=50');
  const changesLogged = (): string[] => logged.filter((line) => line.includes('lists are read from'));

  it('answers lists from the replica, says how old they may be, and shows each environment its own', async () => {
    for (const [at, key] of keys.entries()) await change(key, `change-of-${at}`);
    await pair.caughtUp();
    const answers = [await list(keys[0]), await list(keys[1])];
    for (const [at, { status, lag, text }] of answers.entries()) {
      expect(status).toBe(200);
      expect(Number(lag)).toBeLessThanOrEqual(MOST_LAG_SECONDS);
      expect(text).toContain(`change-of-${at}`);
      expect(text).not.toContain(`change-of-${1 - at}`);
    }
    const readers = await pair.standby.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'clarion-gateway-lists'`,
    );
    expect(readers.length).toBeGreaterThan(0);
    const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text());
    expect(metrics).toMatch(/^clarion_read_replica_lag_seconds\{role="gateway"\} \d/m);
  });

  it('shows the lag while the replica is late, reads single objects from the primary, and then all lists', async () => {
    await pair.pauseReplay();
    await change(keys[0]!, 'unseen');
    const early = await list();
    expect(early.text).not.toContain('unseen');
    expect(early.lag).not.toBeNull();
    const single = await call(keys[0]!, 'GET', '/v2/workflows/unseen');
    expect({ status: single.status, lag: single.lag }).toEqual({ status: 200, lag: null });
    let highest = 0;
    await until(async () => {
      const { lag, text } = await list();
      highest = Math.max(highest, Number(lag));
      return lag === '0' && text.includes('unseen');
    });
    expect(highest).toBeGreaterThan(1);
    // The answer is written some time after its source was chosen.
    expect(highest).toBeLessThanOrEqual(MOST_LAG_SECONDS + 5);
    await until(() => changesLogged().at(-1)?.includes('not from the read replica: it is') ?? false);
    expect(changesLogged()).toHaveLength(2);

    await pair.resumeReplay();
    await until(() => changesLogged().length === 3);
    const { lag, text } = await list();
    expect(lag).not.toBe('0');
    expect(text).toContain('unseen');
  });

  it('continues without the replica, and uses it again when it is back', async () => {
    await pair.stopStandby('immediate');
    const { status, text } = await list();
    expect(status).toBe(200);
    expect(text).toContain('unseen');
    expect(changesLogged().at(-1)).toMatch(/lists are read from the primary/);
    await pair.restartStandby();
    await until(() => changesLogged().at(-1)!.includes('lists are read from the read replica'));
    expect(changesLogged()).toHaveLength(5);
    expect((await list()).lag).not.toBe('0');
  });
});
