import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS, type MirrorDifferenceListDto, type MirrorDto, newId } from '@clarion/contracts';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, startOwnClarion } from './harness';

const EMAIL = { type: 'email', controlValues: { subject: 'S', body: 'B' } } as const;
const NOTE = { type: 'in_app', controlValues: { body: 'B' } } as const;
const IN_A_DAY = (): string => new Date(Date.now() + 86_400_000).toISOString();

const ada = { subscriberId: 'ada', email: 'ada@example.com' };

/** Comparisons of one transaction go on for 64 s while the other system is late. */
const COMPARED_MS = 120_000;

/** In a payload field that is marked as sensitive. */
const SECRET = 'sec7ret';

type Event = { transactionId: string };
type Passed = { method: string; path: string; body: string };
type Instead = { status: number; body: unknown } | 'hang';

/** The way to the other system, which can be interrupted. */
class Road {
  readonly passed: Passed[] = [];
  /** Answers in place of the other system, which is then not called. */
  instead: ((passed: Passed, authorization: string) => Instead | undefined) | undefined;
  /** Requests that wait for an answer for ever. */
  hanging = 0;
  private server: Server | undefined;
  private port = 0;

  constructor(private readonly target: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Events that were posted under this transactionId. */
  posts(transactionId: string): Passed[] {
    return this.passed.filter(({ method, body }) => method === 'POST' && body.includes(`"${transactionId}"`));
  }

  /** The event of the first post with this transactionId, which may have others. */
  copyOf(transactionId: string): unknown {
    const body = JSON.parse(this.posts(transactionId)[0]!.body) as { events?: Event[] } & Event;
    return (body.events ?? [body]).find((event) => event.transactionId === transactionId);
  }

  async open(): Promise<void> {
    this.server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const { method = 'GET', url = '/', headers } = incoming;
        const passed = { method, path: url, body: body.toString() };
        this.passed.push(passed);
        const answered = this.instead?.(passed, String(headers.authorization));
        if (answered === 'hang') {
          this.hanging += 1;
          outgoing.on('close', () => (this.hanging -= 1));
          return;
        }
        if (answered) {
          outgoing.writeHead(answered.status).end(JSON.stringify(answered.body));
          return;
        }
        const passing = request(this.target + url, { method, headers, agent: false }, (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(outgoing);
        });
        passing.on('error', () => outgoing.destroy());
        passing.end(body);
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The status of a request whose path is sent as it is: `fetch` would resolve the dots. */
const rawDelete = (base: string, last: string, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(base);
    const headers = { authorization: `ApiKey ${key}` };
    request({ method: 'DELETE', hostname, port, path: pathname + last, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on('error', reject)
      .end();
  });

/** Two installations with their gateways, engines and workers. The first one is mirrored to the second one. */
describe('a mirror', () => {
  let here: Clarion;
  let other: Clarion;
  let road: Road;

  beforeAll(async () => {
    const options = { roles: ['engine', 'email', 'in_app', 'chat'], demoProviders: true } as const;
    [here, other] = [
      await startOwnClarion({ ...options, roles: [...options.roles], environment: { CLARION_DRAIN_MS: '500' } }),
      await startOwnClarion({ ...options, roles: [...options.roles], environment: { CLARION_DRAIN_MS: '500' } }),
    ];
    road = new Road(other.url);
    for (const clarion of [here, other]) {
      await clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, { kind: 'sandbox' });
      // A broadcast reaches those who exist when it is read: a trigger beside it may create them too late.
      for (const subscriber of [ada, { subscriberId: 'bob' }]) {
        await clarion.callOk('POST', '/v2/subscribers', subscriber);
      }
      await clarion.workflow('welcome', [EMAIL, NOTE]);
      await clarion.workflow('later', [
        { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
        NOTE,
      ]);
    }
    // The same name, another content.
    await here.workflow('changed', [EMAIL, NOTE]);
    await other.workflow('changed', [{ ...EMAIL, controlValues: { ...EMAIL.controlValues, runIf: { '==': [1, 2] } } }]);
    await here.workflow('only-here', [NOTE]);
  });
  afterAll(async () => {
    await road.close();
    await here.close();
    await other.close();
  });
  beforeEach(async () => {
    await road.open();
    road.passed.length = 0;
    road.instead = undefined;
  });
  afterEach(async () => {
    await here.call('DELETE', '/v1/mirror?discard=true');
    await road.close();
  });

  const start = (more: object = {}) =>
    here.callOk<MirrorDto>('POST', '/v1/mirror', {
      url: road.url,
      key: other.key,
      until: IN_A_DAY(),
      settleSeconds: 1,
      ...more,
    });
  const status = () => here.callOk<MirrorDto>('GET', '/v1/mirror');
  const differences = async (query = '') =>
    (await here.callOk<MirrorDifferenceListDto>('GET', `/v1/mirror/differences?limit=100${query}`)).data;
  const isDone = async (compared: number) => {
    const { figures, waiting, settling } = await status();
    return waiting === 0 && settling === 0 && figures!.same + figures!.different + figures!.refused >= compared;
  };
  /** Locks the mirror before its copies, as the worker does: the other order could deadlock. */
  const makeDue = (mirrors: string) =>
    here.database.query(`
      WITH held AS MATERIALIZED (${mirrors}), due AS (SELECT count(*) AS count FROM held)
      UPDATE mirror_copy SET due_at = now() FROM due WHERE due.count > 0`);
  /** Makes everything that waits due now, as if the time had passed. */
  const passTime = () => makeDue('UPDATE mirror SET not_before = NULL RETURNING environment_id');

  it('sends each trigger, bulk event, broadcast and cancellation, and finds that both did the same', async () => {
    await start();
    const single = await here.trigger('welcome', ada, { payload: { name: 'Ada', deep: { list: [1, 'two'] } } });
    const bulk = await here.callOk<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', {
      events: [
        { name: 'welcome', to: [ada, 'bob'], transactionId: 'chosen-1' },
        { name: 'unknown', to: 'ada', transactionId: 'refused-here' },
      ],
    });
    const all = await here.callOk<{ transactionId: string }>('POST', '/v1/events/trigger/broadcast', {
      name: 'welcome',
      payload: { to: 'all' },
    });
    const delayed = await here.trigger('later', 'ada');
    for (const system of [here, other]) {
      await system.activity(delayed, ([notification]) => notification?.jobs?.[0]?.status === 'delayed');
    }
    // An event that was accepted before is not copied again.
    await here.callOk('POST', '/v1/events/trigger', { name: 'welcome', to: [ada, 'bob'], transactionId: 'chosen-1' });
    expect(await here.callOk('DELETE', `/v1/events/trigger/${delayed}`)).toBe(true);

    await until(() => isDone(4), COMPARED_MS);
    expect(await differences()).toEqual([]);
    expect((await status()).figures).toMatchObject({
      sent: 5,
      refused: 0,
      failed: 0,
      same: 4,
      different: 0,
      notCompared: 0,
      outcomesMissing: 0,
    });
    expect(road.copyOf(single)).toEqual({
      name: 'welcome',
      to: ada,
      payload: { name: 'Ada', deep: { list: [1, 'two'] } },
      transactionId: single,
    });
    for (const { transactionId } of [{ transactionId: single }, bulk[0]!, all]) {
      expect(road.posts(transactionId)).toHaveLength(1);
      expect((await other.messages(transactionId)).length).toBeGreaterThan(0);
    }
    expect(road.posts(all.transactionId)[0]!.path).toBe('/v1/events/trigger/broadcast');
    expect(road.posts('refused-here')).toEqual([]);
    const [canceled] = await other.activity(delayed, () => true);
    expect(canceled!.jobs!.map((job) => job.status)).toEqual(['canceled', 'canceled']);
    // Nothing of the copies stays, and none was stored in the clear.
    expect(await here.database.query(`SELECT 1 FROM mirror_copy`)).toEqual([]);
  });

  it('finds what the other system does differently, and why', async () => {
    await start();
    const changed = await here.trigger('changed', ada);
    const refused = await here.trigger('only-here', ada);
    for (const system of [here, other]) await system.activity(changed, allEnded());
    // A missing outcome is looked for again: it may be late.
    const isFound = async () => (await differences()).length >= 3;
    await until(async () => (await passTime(), isFound()));
    const found = await differences();
    expect(found.find(({ channel }) => channel === 'email')).toMatchObject({
      kind: 'outcome',
      transactionId: changed,
      subscriberId: 'ada',
      here: 'sent',
      other: 'skipped',
      reason: expect.stringContaining('the other system: '),
    });
    expect(found.find(({ channel }) => channel === 'in_app')).toMatchObject({ kind: 'missing', here: 'sent' });
    expect(await differences('&kind=refused')).toMatchObject([
      { transactionId: refused, reason: expect.stringContaining('workflow_not_found') },
    ]);
    expect((await status()).figures).toMatchObject({
      sent: 1,
      refused: 1,
      different: 1,
      outcomesDifferent: 1,
      outcomesMissing: 1,
    });
    const page = await here.callOk<MirrorDifferenceListDto>('GET', '/v1/mirror/differences?limit=2');
    expect([page.data.length, page.next !== null, page.totalCount]).toEqual([2, true, 3]);
  });

  it('stores neither marked values nor the key nor unstorable text that the other system answers with', async () => {
    const payloadSchema = { type: 'object', properties: { code: { type: 'string', 'x-sensitive': true } } };
    await here.workflow('code', [EMAIL], { payloadSchema });
    await start();
    const odd = `odd\0${'x'.repeat(5_000)}\ud800`;
    const job = { type: 'email', status: 'failed', executionDetails: [{ detail: `no ${SECRET}` }] };
    road.instead = ({ method, path, body }, authorization) => {
      if (method === 'POST' && body.includes('refused'))
        return { status: 422, body: { message: [body, authorization] } };
      if (method === 'POST') return { status: 201, body: { data: { status: 'processed' } } };
      const isOdd = path.includes('transactionId');
      return isOdd
        ? { status: 200, body: { data: [{ _id: 1, subscriber: { subscriberId: odd }, jobs: [job] }] } }
        : undefined;
    };
    const file = { file: Buffer.from('x').toString('base64'), name: 'a.txt', mime: 'text/plain' };
    await here.callOk('POST', '/v1/events/trigger/bulk', {
      events: ['refused-1', 'refused-2', 'taken'].map((transactionId) => ({
        name: transactionId === 'refused-2' ? 'welcome' : 'code',
        to: ada,
        transactionId,
        payload: { code: SECRET, attachments: [file] },
      })),
    });
    await until(async () => (await passTime(), isDone(3)));
    expect(await differences('&kind=refused&transactionId=refused-1')).toMatchObject([
      { reason: 'It answered 422: [redacted]' },
    ]);
    const [open] = await differences('&kind=refused&transactionId=refused-2');
    expect(open!.reason).toContain(SECRET);
    expect(open!.reason).toContain('[key]');
    const [extra] = await differences('&kind=extra');
    expect(extra).toMatchObject({ transactionId: 'taken', reason: 'the other system: [redacted]' });
    expect(extra!.subscriberId).toMatch(/^odd\ufffdx{496}$/);
    expect(JSON.stringify(await differences())).not.toContain(other.key);
    // Together with the others, which the other system refused, and then alone.
    expect(road.posts('taken')).toHaveLength(2);
  });

  it('accepts triggers while the other system is down, and sends each of them once when it is back', async () => {
    await start();
    await road.close();
    const transactions = await Promise.all(Array.from({ length: 12 }, () => here.trigger('welcome', newId())));
    await Promise.all(transactions.map((transactionId) => here.activity(transactionId, ([one]) => one !== undefined)));
    const hasFailed = async () => {
      // They failed together and are tried again one by one.
      await makeDue('SELECT environment_id FROM mirror FOR UPDATE');
      return ((await status()).failing?.failures ?? 0) >= 5;
    };
    await until(hasFailed);
    expect(await status()).toMatchObject({
      state: 'running',
      waiting: 12,
      failing: { error: expect.stringContaining('No connection'), pausedUntil: expect.any(String) },
    });
    await road.open();
    const isSent = async () => (await passTime(), (await status()).waiting === 0);
    await until(isSent);
    for (const transactionId of transactions) {
      expect(road.posts(transactionId)).toHaveLength(1);
      expect(await other.activity(transactionId, ({ length }) => length > 0)).toHaveLength(1);
    }
    expect(await status()).toMatchObject({ figures: { sent: 12, failed: 0 } });
    expect((await status()).failing).toBeUndefined();
  });

  it('answers callers while the other system hangs, and keeps its kind while copies are tried again', async () => {
    await start();
    road.instead = ({ method }) => (method === 'POST' ? 'hang' : undefined);
    const first = await here.trigger('welcome', ada);
    await until(() => road.hanging > 0);
    const transactions = [first, await here.trigger('welcome', ada), await here.trigger('welcome', 'bob')];
    const bulk = await here.callOk<{ status: string }[]>('POST', '/v1/events/trigger/bulk', {
      events: [{ name: 'welcome', to: ada }],
    });
    // All of them were answered before the first call to the other system was.
    expect([road.hanging > 0, bulk[0]!.status, (await status()).waiting]).toEqual([true, 'processed', 4]);
    for (const transactionId of transactions) await here.activity(transactionId, ([one]) => one !== undefined);

    await road.close();
    await until(async () => (await status()).failing !== undefined);
    const changeKind = (kind: string) => here.call('PUT', `/v1/environments/${here.environmentId}`, { kind });
    expect((await changeKind('production')).status).toBe(409);
    await here.callOk('DELETE', '/v1/mirror');
    // Its copies are still sent, and tried again.
    expect((await changeKind('production')).status).toBe(409);
    await here.callOk('DELETE', '/v1/mirror?discard=true');
    for (const kind of ['production', 'sandbox']) expect((await changeKind(kind)).status).toBe(200);
  });

  it('does not call an address that the operator does not allow, and says so', async () => {
    await start();
    // As if the operator had taken it from CLARION_EGRESS_ALLOW, or its name had another address now.
    await here.database.query(`UPDATE mirror SET url = 'http://10.1.2.3'`);
    await here.trigger('welcome', ada);
    await until(async () => (await status()).failing !== undefined);
    const error = expect.stringContaining('The egress guard blocks 10.1.2.3') as string;
    expect(await status()).toMatchObject({ waiting: 1, failing: { error } });
  });

  it('compares the part of the transactions that it was asked to, and ends at its largest backlog', async () => {
    await start({ comparePercent: 30 });
    const events = Array.from({ length: 40 }, (_, index) => ({
      name: 'welcome',
      to: `part-${index % 3}`,
      transactionId: `part-${index}`,
    }));
    await here.callOk('POST', '/v1/events/trigger/bulk', { events });
    const isSent = async () => {
      const { figures, waiting, settling } = await status();
      return waiting === 0 && settling === 0 && figures!.sent === events.length;
    };
    await until(isSent, COMPARED_MS);
    // Four calls, or a few more: nearly all copies were due at the same time.
    expect(road.passed.filter(({ path }) => path === '/v1/events/trigger/bulk').length).toBeGreaterThan(0);
    expect(road.passed.filter(({ method }) => method === 'POST').length).toBeLessThan(10);
    const { same, different, notCompared } = (await status()).figures!;
    expect([different, same + notCompared]).toEqual([0, events.length]);
    const read = new Set(road.passed.flatMap(({ path }) => /transactionId=(part-\d+)/.exec(path)?.[1] ?? []));
    expect(read.size).toBe(same);
    expect([same > 4, same < 25]).toEqual([true, true]);

    const fill = (count: number, bytes: number) =>
      here.database.query(
        `INSERT INTO mirror_copy (id, environment_id, kind, transaction_id, bytes, is_compared, due_at)
         SELECT uuid_v7(), $1, 'trigger', 'full', $3, false, now() + interval '1 day' FROM generate_series(1, $2)`,
        [here.environmentId, count, bytes],
      );
    const reason = 'The other system has not taken the copies: as many wait as may wait';
    for (const [count, bytes] of [
      [LIMITS.mirrorBacklog, 1],
      [2, LIMITS.mirrorBacklogBytes / 2],
    ] as const) {
      await fill(count - 1, bytes);
      expect((await status()).state).toBe('running');
      await fill(1, bytes);
      await until(async () => (await status()).state === 'ended');
      expect(await status()).toMatchObject({ endedReason: reason, waiting: count });
      // Triggers go on without a copy.
      await here.trigger('welcome', ada);
      expect((await status()).waiting).toBe(count);
      await here.callOk('DELETE', '/v1/mirror?discard=true');
      await start();
    }
  });

  it('names a cancellation that no URL can carry, and tries it only once', async () => {
    await start();
    for (const transactionId of ['.', '..']) {
      await here.callOk('POST', '/v1/events/trigger', { name: 'later', to: ada, transactionId });
      expect(await rawDelete(`${here.url}/v1/events/trigger/`, transactionId, here.key)).toBe(200);
    }
    await until(async () => (await status()).figures!.failed === 2);
    const failed = await differences('&kind=failed');
    expect(failed.map(({ transactionId }) => transactionId).sort()).toEqual(['.', '..']);
    for (const { reason } of failed) expect(reason).toContain('the transactionId cannot be part of a URL');
    expect(road.passed.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect((await status()).failing).toBeUndefined();
  });

  it('sends a copy again after its worker was killed, and the other system has it once', async () => {
    await start();
    await here.stop('chat');
    const worker = await here.startKillable('chat', (statement) => statement === 'mirrors-record');
    const transactionId = await here.trigger('welcome', ada);
    await until(() => road.posts(transactionId).length === 1);
    worker.kill();
    await here.database.query(`UPDATE mirror SET lease_until = now()`);
    await here.start('chat');
    await until(() => isDone(1), COMPARED_MS);
    expect(road.posts(transactionId)).toHaveLength(2);
    expect(await other.activity(transactionId, () => true)).toHaveLength(1);
    expect((await status()).figures).toMatchObject({ sent: 1, same: 1, different: 0 });
  });

  it('does not send a copy back to where it came from', async () => {
    await start();
    const back = { url: here.url, key: here.key, until: IN_A_DAY(), settleSeconds: 1 };
    await other.callOk('POST', '/v1/mirror', back);
    const transactionId = await here.trigger('welcome', ada);
    await until(() => isDone(1), COMPARED_MS);
    expect((await other.callOk<MirrorDto>('GET', '/v1/mirror')).figures!.sent).toBe(0);
    expect(await other.database.query(`SELECT 1 FROM mirror_copy`)).toEqual([]);
    expect(await here.activity(transactionId, () => true)).toHaveLength(1);
    await other.callOk('DELETE', '/v1/mirror');
  });

  it('ends at its time, sends what waits, and ends when the other system takes nothing for days', async () => {
    await start();
    await road.close();
    const before = await here.trigger('welcome', ada);
    await until(async () => (await status()).failing !== undefined);
    await here.database.query(`UPDATE mirror SET until = now()`);
    const after = await here.trigger('welcome', ada);
    expect(await status()).toMatchObject({ state: 'ended', endedReason: 'Its time is over', waiting: 1 });
    expect((await here.call('POST', '/v1/mirror', { url: road.url, key: 'k', until: IN_A_DAY() })).status).toBe(422);
    await road.open();
    await passTime();
    await until(() => isDone(1), COMPARED_MS);
    expect([road.posts(before).length, road.posts(after).length]).toEqual([1, 0]);

    await start();
    await road.close();
    await here.database.query(`UPDATE mirror SET failing_since = now() - interval '6 days', failures = 9`);
    await here.trigger('welcome', ada);
    await until(async () => (await status()).state === 'ended');
    expect((await status()).endedReason).toContain('No call succeeded for 5 days: No connection');
    const audit = await here.callOk<{ data: unknown[] }>('GET', '/v1/audit-log?resourceType=mirror&actor=system');
    expect(audit.data[0]).toMatchObject({ after: { state: 'ended' } });
  });
});
