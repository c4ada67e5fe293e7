// eslint-disable-next-line clarion/no-restricted-syntax -- the calls are spread over time; nothing waits for them
import { setTimeout as delay } from 'node:timers/promises';
import { SecretBox } from '@clarion/platform';
import {
  type App,
  type AppProcess,
  createTestDatabase,
  deleteDemoIntegrations,
  type FakeProvider,
  freePort,
  startApp,
  startFakeProvider,
  type TestDatabase,
  testQueueBackend,
  uniquePrefix,
  until,
} from '@clarion/testing';
import { createDefaults } from './processes';

/** `CLARION_TEST_RESTARTS=20 npm test -- rolling-restarts` is the thorough run. */
const RESTARTS = Number(process.env['CLARION_TEST_RESTARTS'] ?? 2);
const EVENTS = 20;
/** The latency of a real provider, so that every worker that is stopped has calls in flight. */
const PROVIDER_MS = 50;
/** So slow that the steps that a worker has claimed take longer than its drain time. */
const SLOW_PROVIDER_MS = 1_000;
const DRAIN_MS = 8_000;
const BACKLOG = 1_500;
/** Limits the load, so that new processes can start beside it. */
const CALL_INTERVAL_MS = 100;
const DEADLINE_MS = 240_000 + RESTARTS * 60_000;

/** The id of the message, which is part of every provider call. */
const messageIdOf = (body: string): string => (JSON.parse(body) as { custom_args: { id: string } }).custom_args.id;

/** As in a rolling deploy: the new process of a role is ready before the old one is stopped. */
describe('rolling restarts under load', () => {
  let test: TestDatabase;
  let provider: FakeProvider;
  let key: string;
  let environment: Record<string, string>;
  const running = new Map<App, { process: AppProcess; url: string }>();
  const all: AppProcess[] = [];
  const exits: (number | NodeJS.Signals)[] = [];

  const answerAfter = (delayMs: number): void =>
    provider.always('/', { status: 202, headers: { 'x-message-id': 'taken' }, delayMs });

  beforeAll(async () => {
    test = await createTestDatabase();
    provider = await startFakeProvider();
    answerAfter(PROVIDER_MS);
    const encryptionKeys = SecretBox.generateKey();
    const made = await createDefaults(test, encryptionKeys);
    key = made.key;
    await deleteDemoIntegrations(test.database, made.environment.id);
    const backend = testQueueBackend(test.url);
    environment = {
      DATABASE_URL: test.url,
      CLARION_ENCRYPTION_KEY: encryptionKeys,
      CLARION_QUEUE: backend.kind,
      ...(backend.kind === 'redis' && { REDIS_URL: backend.url }),
      CLARION_QUEUE_PREFIX: uniquePrefix(),
      CLARION_EGRESS_ALLOW: '127.0.0.1',
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: provider.url }),
      CLARION_DRAIN_DELAY_MS: '200',
      CLARION_DRAIN_MS: String(DRAIN_MS),
    };
    for (const app of ['gateway', 'engine', 'worker-email'] as const) await replace(app);
  }, DEADLINE_MS);

  afterAll(async () => {
    await Promise.all(all.map((process) => process.stop('SIGKILL')));
    await provider.close();
    await test.drop();
  });

  const startOne = async (app: App) => {
    const port = String(await freePort());
    const process = startApp(app, { ...environment, PORT: port, CLARION_OBSERVE_PORT: String(await freePort()) });
    all.push(process);
    await process.ready;
    return { process, url: `http://127.0.0.1:${port}` };
  };

  /** Starts a new process, directs the calls to it, and stops the old one. */
  const replace = async (app: App): Promise<void> => {
    const next = await startOne(app);
    const before = running.get(app);
    running.set(app, next);
    if (before) exits.push(await before.process.stop());
  };

  /** The number of responses by status; 0 counts calls without a response, which are repeated. */
  const answers = new Map<number, number>();
  const post = async (path: string, body: object): Promise<void> => {
    for (;;) {
      const answer = await fetch(running.get('gateway')!.url + path, {
        method: 'POST',
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      answers.set(answer?.status ?? 0, (answers.get(answer?.status ?? 0) ?? 0) + 1);
      const text = await answer?.text();
      if (answer?.status === 201) return;
      if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text}`);
    }
  };

  const mail = (n: number): object => ({
    name: 'mail',
    to: { subscriberId: `s-${n % 50}`, email: 's@x.test' },
    payload: { n },
    transactionId: `rolling-${n}`,
  });
  let sent = 0;
  const send = (count: number): Promise<void> => {
    const events = Array.from({ length: count }, (_, index) => mail(sent + index));
    sent += count;
    return post('/v1/events/trigger/bulk', { events });
  };

  const read = async () =>
    (
      await test.database.query<Record<'triggers' | 'notifications' | 'completed' | 'messages' | 'retries', number>>(
        `SELECT (SELECT count(*)::int FROM trigger) AS triggers,
                (SELECT count(*)::int FROM notification) AS notifications,
                (SELECT count(*)::int FROM step WHERE state = 'completed') AS completed,
                (SELECT count(*)::int FROM message WHERE status = 'sent') AS messages,
                (SELECT count(*)::int FROM execution_detail WHERE is_retry)
                  + (SELECT count(*)::int FROM step, json_array_elements(details) d
                      WHERE d ->> 't' = 'true') AS retries`,
      )
    )[0]!;

  const expectEachOnce = async (): Promise<void> => {
    await until(async () => (await read()).completed >= sent, DEADLINE_MS);
    const rows = await read();
    const summary = { sent, ...rows, calls: provider.count, answers: Object.fromEntries(answers) };
    process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(summary)}\n`);
    expect(rows).toEqual({ triggers: sent, notifications: sent, completed: sent, messages: sent, retries: 0 });
    const called = provider.calls.map(({ body }) => messageIdOf(body));
    expect({ called: called.length, different: new Set(called).size }).toEqual({ called: sent, different: sent });
  };

  it(
    `delivers every message exactly once during ${RESTARTS} restarts of each role`,
    async () => {
      await post('/v1/integrations', {
        providerId: 'sendgrid',
        channel: 'email',
        active: true,
        credentials: { apiKey: 'SG.key', from: 'hello@clarion.test', senderName: 'Clarion' },
      });
      const step = { name: 'Mail', type: 'email', controlValues: { subject: 'x', body: 'Hello {{payload.n}}' } };
      await post('/v2/workflows', { name: 'mail', workflowId: 'mail', active: true, steps: [step] });

      let isFinished = false;
      const caller = async (): Promise<void> => {
        while (!isFinished) {
          await send(EVENTS);
          await delay(CALL_INTERVAL_MS);
        }
      };
      const calling = caller();
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        for (const app of ['worker-email', 'gateway', 'engine'] as const) await replace(app);
      }
      isFinished = true;
      await calling;
      await expectEachOnce();
      expect(exits).toEqual(Array.from({ length: 3 * RESTARTS }, () => 0));
      expect(sent).toBeGreaterThanOrEqual(RESTARTS * EVENTS);
    },
    DEADLINE_MS,
  );

  it('delivers every message exactly once when workers with a backlog are stopped', async () => {
    answerAfter(SLOW_PROVIDER_MS);
    const more = [await startOne('worker-email'), await startOne('worker-email')];
    for (let call = 0; call < BACKLOG / 100; call += 1) await send(100);
    const before = provider.count;
    await until(() => provider.count > before);
    expect(await Promise.all(more.map(({ process }) => process.stop()))).toEqual([0, 0]);
    expect((await read()).completed).toBeLessThan(sent);
    answerAfter(PROVIDER_MS);
    await expectEachOnce();
  });
});
