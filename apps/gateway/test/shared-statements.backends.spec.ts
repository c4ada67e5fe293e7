import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { type EnvironmentId, newId, type TriggerId, type TriggerResultDto } from '@clarion/contracts';
import { isUnstorableValue, type NewTrigger, TriggerRepository } from '@clarion/persistence';
import { openQueue, type TriggerJob } from '@clarion/queue';
import { until } from '@clarion/testing';
import { type StoringCall, TriggerStore } from '../src/triggers/trigger-store';
import { type Answer, createInAppWorkflow, startOwnGateway, type TestGateway } from './harness';

type Row = Record<string, unknown>;
type Result = Answer<TriggerResultDto & { errors?: unknown; message?: string }>;

const CALLERS = 32;
const SHARED = /unnest\([^]*\$10::uuid\[\][^]*INSERT INTO trigger/;

describe('shared statements', () => {
  let gateway: TestGateway;
  let store: TriggerStore;
  let second: { key: string; environmentId: EnvironmentId };

  beforeAll(async () => {
    gateway = await startOwnGateway();
    store = gateway.app.get(TriggerStore);
    const { key, environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Second' });
    second = { key, environmentId: environment.id };
    await createInAppWorkflow(gateway, 'welcome');
    const workflow = {
      name: 'W',
      workflowId: 'welcome',
      steps: [{ name: 'A', type: 'in_app', controlValues: { body: 'Hi' } }],
    };
    await gateway.call('POST', '/v2/workflows', workflow, { authorization: `ApiKey ${key}` });
    // The first calls cache the keys and the workflows.
    await trigger({ transactionId: 'first' });
    await trigger({ transactionId: 'first' }, asSecond());
  });
  afterAll(() => gateway.close());
  afterEach(async () => {
    jest.restoreAllMocks();
    // A test that failed may have left its lock, which would make the inserts of the next tests wait.
    await Promise.all(locks.splice(0).map((lock) => lock.end()));
  });

  const asSecond = () => ({ authorization: `ApiKey ${second.key}` });
  const trigger = (event: Row, headers: Record<string, string> = {}): Promise<Result> =>
    gateway.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', ...event }, headers);
  const rowsLike = (pattern: string) =>
    gateway.database.query<Row & { id: TriggerId }>(
      'SELECT * FROM trigger WHERE transaction_id LIKE $1 ORDER BY transaction_id, environment_id',
      [pattern],
    );
  const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

  /** Makes all inserts wait until the calls have reached the store and `meanwhile` has ended. */
  async function whileInsertsWait(
    calls: (() => Promise<Result>)[],
    meanwhile: (lock: pg.Client) => Promise<void> = () => Promise.resolve(),
  ): Promise<{ answers: Result[]; inserts: string[] }> {
    const lock = await lockTriggers(gateway);
    const statementsSince = gateway.watchStatements();
    try {
      const arrived = jest.spyOn(store, 'store');
      const answers = Promise.all(calls.map((call) => call()));
      await until(() => arrived.mock.calls.length === calls.length);
      await meanwhile(lock);
      await lock.end();
      const results = await answers;
      return { answers: results, inserts: statementsSince().filter((text) => /INSERT INTO trigger/.test(text)) };
    } finally {
      statementsSince();
      await lock.end();
    }
  }

  async function jobsWith(ids: TriggerId[]): Promise<TriggerId[][]> {
    const options = { prefix: gateway.queuePrefix, onError: () => undefined };
    const { queue, close } = openQueue(gateway.queueBackend, 'trigger', options);
    await queue.waitUntilReady();
    const wanted = new Set(ids);
    for (;;) {
      const jobs = (await queue.getJobs(['prioritized'])).map((job) => (job.data as TriggerJob).triggerIds);
      const found = jobs.filter((triggerIds) => triggerIds.some((id) => wanted.has(id)));
      if (found.flat().length < ids.length) continue;
      await close();
      return found;
    }
  }

  it('stores single events that wait at the same moment with one statement and one job', async () => {
    const { answers, inserts } = await whileInsertsWait(
      each(CALLERS, (index) => () => trigger({ transactionId: `together-${index}`, payload: { index } })),
    );
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      each(CALLERS, (index) => [201, { acknowledged: true, status: 'processed', transactionId: `together-${index}` }]),
    );
    // At most two statements run; the calls that arrived meanwhile share the third.
    expect(inserts.length).toBeLessThanOrEqual(3);
    expect(inserts.filter((text) => SHARED.test(text))).toEqual(inserts);
    const rows = await rowsLike('together-%');
    expect(rows).toHaveLength(CALLERS);
    const jobs = await jobsWith(rows.map(({ id }) => id));
    expect(jobs).toHaveLength(inserts.length);
    expect(jobs.flat().toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  it('stores an event without any timer', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
    });
    try {
      expect((await trigger({ transactionId: 'no timer' })).body.status).toBe('processed');
    } finally {
      jest.useRealTimers();
    }
  });

  it('sends an event in the same turn of the event loop when no statement runs', async () => {
    const statementsSince = gateway.watchStatements();
    const stored = store.store(callOf(gateway.environmentId), [newTrigger('alone')]);
    await nextTurn();
    expect(statementsSince()).toEqual([expect.stringMatching(SHARED)]);
    expect(await stored).toMatchObject([{ stored: true }]);
  });

  it('stores events of two environments together, each in its own environment', async () => {
    const { answers, inserts } = await whileInsertsWait(
      each(20, (index) => () => trigger({ payload: { mixed: index } }, index % 2 ? asSecond() : {})),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(each(20, () => 'processed'));
    expect(inserts.length).toBeLessThanOrEqual(3);
    const rows = await gateway.database.query<Row>(
      `SELECT environment_id, transaction_id FROM trigger WHERE payload ? 'mixed' ORDER BY (payload -> 'mixed')::int`,
    );
    expect(rows).toEqual(
      answers.map(({ body }, index) => ({
        environment_id: index % 2 ? second.environmentId : gateway.environmentId,
        transaction_id: body.transactionId,
      })),
    );
    const path = (index: number) => `/v1/events/trigger/${answers[index]!.body.transactionId}`;
    expect((await gateway.call('DELETE', path(0), undefined, asSecond())).body).toBe(false);
    expect((await gateway.call('DELETE', path(1), undefined, asSecond())).body).toBe(true);
  });

  it('delays no other environment when the transactionId of an event is locked', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let holding: Promise<void> | undefined;
    await new Promise<void>((locked) => {
      holding = gateway.database.transaction(async () => {
        await new TriggerRepository(gateway.database).insertMany(gateway.environmentId, [newTrigger('locked')]);
        locked();
        await released;
      });
    });
    const blocked = each(4, () => trigger({ transactionId: 'locked' }));
    await until(async () => (await lockWaits()) > 0);
    expect((await trigger({ transactionId: 'locked' }, asSecond())).body.status).toBe('processed');
    expect((await trigger({})).body.status).toBe('processed');
    expect(await lockWaits()).toBeGreaterThan(0);
    release();
    await holding;
    const results = (await Promise.all(blocked)).map(({ status, body }) => [status, body.status]);
    expect(results).toEqual(each(4, () => [201, 'error']));
  });

  const lockWaits = async () => {
    const [row] = await gateway.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row!.n;
  };

  const bulk = (name: string, headers: Record<string, string> = {}): Promise<Answer<TriggerResultDto[]>> =>
    gateway.call(
      'POST',
      '/v1/events/trigger/bulk',
      { events: each(100, (index) => ({ name: 'welcome', to: 'ada', transactionId: `${name}-${index}` })) },
      headers,
    );

  it('stores one full bulk call of an environment at a time beside another one', async () => {
    const lock = await lockTriggers(gateway);
    const arrived = jest.spyOn(store, 'store');
    const other = bulk('bulk-other', asSecond());
    await until(async () => (await lockWaits()) >= 1);
    const calls = [other, ...each(6, (index) => bulk(`bulk-${index}`))];
    await until(async () => arrived.mock.calls.length === calls.length && (await lockWaits()) >= 2);
    await nextTurn();
    expect(await lockWaits()).toBe(2);
    await lock.end();
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, new Set(body.map((result) => result.status))]).toEqual([201, new Set(['processed'])]);
    }
    expect(await rowsLike('bulk-%')).toHaveLength(700);
  });

  it('answers 503 at once to bulk calls that wait for a statement that fails with the database', async () => {
    const lock = await lockTriggers(gateway);
    const statementsSince = gateway.watchStatements();
    let answered = 0;
    const arrived = jest.spyOn(store, 'store');
    const calls = each(6, (index) => bulk(`gone-${index}`).finally(() => (answered += 1)));
    // A call that arrives after the failure would send another statement.
    await until(() => arrived.mock.calls.length === calls.length);
    await until(async () => {
      await endWaits(lock);
      return answered === calls.length;
    });
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(each(6, () => 503));
    // An environment that is alone has two statements at a time; the other calls did not send theirs.
    expect(statementsSince().filter((text) => /INSERT INTO trigger/.test(text)).length).toBeLessThanOrEqual(2);
    await lock.end();
    expect(await rowsLike('gone-%')).toEqual([]);
    expect((await bulk('gone-0')).status).toBe(201);
  });

  it('stores the request id and the trace of each call', async () => {
    const traceOf = (index: number) => `00-${String(index + 1).padStart(32, 'a')}-00f067aa0ba902b7-01`;
    await whileInsertsWait(
      each(
        10,
        (index) => () =>
          trigger(
            { transactionId: `traced-${index}` },
            {
              'x-request-id': `request-${index}`,
              ...(index % 2 && { traceparent: traceOf(index), tracestate: `vendor=${index}` }),
            },
          ),
      ),
    );
    const rows = await rowsLike('traced-%');
    expect(rows.map((row) => [row['request_id'], row['traceparent'], row['tracestate']])).toEqual(
      each(10, (index) => [
        `request-${index}`,
        index % 2 ? traceOf(index) : null,
        index % 2 ? `vendor=${index}` : null,
      ]),
    );
  });

  it('stores events with the same transactionId once', async () => {
    const { answers } = await whileInsertsWait(
      each(CALLERS, (index) => () => trigger({ transactionId: `twin-${index % 4}`, payload: { n: 1 } })),
    );
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['processed']));
    const rows = await rowsLike('twin-%');
    expect(rows).toHaveLength(4);
    expect((await jobsWith(rows.map(({ id }) => id))).flat()).toHaveLength(4);
  });

  it('answers with an error when another event of the batch used the transactionId before', async () => {
    const { answers } = await whileInsertsWait([
      ...each(10, (n) => () => trigger({ transactionId: 'contested', payload: { n } })),
      () => trigger({ transactionId: 'contested' }, asSecond()),
    ]);
    const statuses = answers.map(({ status, body }) => `${status} ${body.status}`);
    expect(statuses.pop()).toBe('201 processed');
    expect(statuses.toSorted()).toEqual([...each(9, () => '201 error'), '201 processed']);
    const winner = statuses.indexOf('201 processed');
    expect(await rowsLike('contested')).toHaveLength(2);
    expect(await rowsLike('contested')).toContainEqual(
      expect.objectContaining({ environment_id: gateway.environmentId, payload: { n: winner } }),
    );
    expect(answers.find(({ body }) => body.status === 'error')!.body.error).toEqual([
      'transactionId "contested" was used before with a different event',
    ]);
  });

  it('fails only the events that Postgres cannot store', async () => {
    const stored = await Promise.allSettled(
      each(10, (index) => {
        const isBad = index === 3 || index === 7;
        const trigger = { ...newTrigger(`neighbour-${index}`), payload: { text: isBad ? 'a\u0000b' : 'ab' } };
        return store.store(callOf(gateway.environmentId), [trigger]);
      }),
    );
    for (const [index, result] of stored.entries()) {
      if (index === 3 || index === 7) {
        expect(result.status === 'rejected' && isUnstorableValue(result.reason)).toBe(true);
      } else expect(result).toMatchObject({ status: 'fulfilled', value: [{ stored: true }] });
    }
    const rows = await rowsLike('neighbour-%');
    expect(rows).toHaveLength(8);
    expect((await jobsWith(rows.map(({ id }) => id))).flat()).toHaveLength(8);
  });

  it('answers 422 only to the caller whose value Postgres rejects', async () => {
    await gateway.database.query(
      `CREATE FUNCTION reject_value() RETURNS trigger LANGUAGE plpgsql AS
       $$BEGIN RAISE EXCEPTION 'out of range' USING ERRCODE = '22003'; END$$`,
    );
    await gateway.database.query(
      `CREATE TRIGGER reject_value BEFORE INSERT ON trigger FOR EACH ROW WHEN (NEW.payload ? 'bad')
       EXECUTE FUNCTION reject_value()`,
    );
    const { answers } = await whileInsertsWait(
      each(
        12,
        (index) => () => trigger({ transactionId: `range-${index}`, payload: index % 5 === 4 ? { bad: 1 } : {} }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(each(12, (index) => (index % 5 === 4 ? 422 : 201)));
    expect(answers[4]!.body.errors).toEqual({ general: { messages: ['a value is out of range'] } });
    expect(await rowsLike('range-%')).toHaveLength(10);
  });

  it('answers 503 to all callers while the database is not available, and stores nothing', async () => {
    const calls = each(CALLERS, (index) => () => trigger({ transactionId: `down-${index}` }));
    let answered = 0;
    const { answers, inserts } = await whileInsertsWait(
      calls.map((call) => () => call().finally(() => (answered += 1))),
      (lock) =>
        until(async () => {
          await endWaits(lock);
          return answered === CALLERS;
        }),
    );
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([503, 'The database does not answer, please retry']);
    }
    expect(inserts.length).toBeLessThanOrEqual(3);
    expect(await rowsLike('down-%')).toEqual([]);
    const repeated = await Promise.all(calls.map((call) => call()));
    expect(repeated.map(({ body }) => body.status)).toEqual(each(CALLERS, () => 'processed'));
    expect(await rowsLike('down-%')).toHaveLength(CALLERS);
  });

  it('stores an event with an idempotency key in the transaction of its call', async () => {
    const { answers, inserts } = await whileInsertsWait(
      each(
        6,
        (index) => () =>
          trigger({ transactionId: `key-${index}` }, index < 2 ? { 'idempotency-key': `shared-${index}` } : {}),
      ),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(each(6, () => 'processed'));
    expect(inserts.filter((text) => !SHARED.test(text))).toHaveLength(2);
    const [row] = await gateway.database.query<{ together: number }>(
      `SELECT count(*)::int AS together FROM trigger t JOIN idempotency_record i ON i.xmin = t.xmin
        WHERE t.transaction_id LIKE 'key-%'`,
    );
    expect(row!.together).toBe(2);
    const again = await trigger({ transactionId: 'key-0' }, { 'idempotency-key': 'shared-0' });
    expect(again.headers.get('idempotency-replay')).toBe('true');
    expect(await rowsLike('key-%')).toHaveLength(6);
  });

  it('stores a large event, or one with attachments, in a separate statement', async () => {
    const text = 'x'.repeat(20_000);
    const events = [
      { to: { subscriberId: 'ada', data: { text } } },
      { payload: { attachments: [{ name: 'a.txt', file: 'AAAA' }] } },
      {},
      {},
    ];
    const { answers, inserts } = await whileInsertsWait(
      events.map((event, index) => () => trigger({ ...event, transactionId: `size-${index}` })),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(each(4, () => 'processed'));
    expect(inserts.filter((sql) => !SHARED.test(sql))).toHaveLength(2);
    expect(await rowsLike('size-%')).toHaveLength(4);
    const statementsSince = gateway.watchStatements();
    // The schema of the workflow has added a default to this payload.
    await store.store(callOf(gateway.environmentId), [{ ...newTrigger('size-default'), payload: { text } }]);
    expect(statementsSince()).toEqual([expect.not.stringMatching(SHARED)]);
  });

  it.each(['wait', 'are gone'])(
    'stores all events before the gateway has stopped, while their callers %s',
    async (callers) => {
      const stopping = await startOwnGateway();
      await createInAppWorkflow(stopping, 'welcome');
      const call = (transactionId: string, signal?: AbortSignal) =>
        fetch(`${stopping.url}/v1/events/trigger`, {
          method: 'POST',
          headers: { authorization: `ApiKey ${stopping.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'welcome', to: 'ada', transactionId }),
          signal,
        }).then(
          ({ status }) => status,
          () => 'gone',
        );
      await call('warm');
      const lock = await lockTriggers(stopping);
      const arrived = jest.spyOn(stopping.app.get(TriggerStore), 'store');
      const leaving = new AbortController();
      const answers = Promise.all(each(8, (index) => call(`waits-${index}`, leaving.signal)));
      await until(() => arrived.mock.calls.length === 8);
      if (callers === 'are gone') leaving.abort();
      const stopped = stopping.app.close();
      let isDrained = false;
      const drained = stopping.app.get(TriggerStore).onApplicationShutdown();
      void drained.then(() => (isDrained = true));
      await nextTurn();
      expect(isDrained).toBe(false);
      await lock.end();
      expect(await answers).toEqual(each(8, () => (callers === 'wait' ? 201 : 'gone')));
      stopping.app.getHttpServer().closeAllConnections();
      await stopped;
      const rows = await stopping.database.query(`SELECT 1 FROM trigger WHERE transaction_id LIKE 'waits-%'`);
      expect(rows).toHaveLength(8);
      await stopping.close();
    },
  );

  const callOf = (environmentId: EnvironmentId): StoringCall => ({ environmentId, bodyBytes: 100 });
  const newTrigger = (transactionId: string): NewTrigger => ({
    id: newId<TriggerId>(),
    transactionId,
    fingerprint: '00',
    workflowId: newId(),
    workflowVersion: 1,
    recipients: [],
    payload: {},
  });
});

/** Ends the connections that wait for the lock, as a database that stops does. */
async function endWaits(lock: pg.Client): Promise<void> {
  await lock.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
}

/** The connections with a lock of the test that runs. */
const locks: pg.Client[] = [];

/** Inserts wait until the returned connection ends. */
async function lockTriggers({ database }: TestGateway): Promise<pg.Client> {
  const client = new pg.Client((database.dataSource.options as { url: string }).url);
  locks.push(client);
  await client.connect();
  await client.query('BEGIN; LOCK TABLE trigger IN SHARE MODE');
  return client;
}
