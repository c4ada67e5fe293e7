import {
  type ActivityRowDto,
  type LookupDto,
  stepIdOf,
  type SubscriberDto,
  type SubscriberRowId,
  TenantCounts,
  tenantShare,
} from '@clarion/contracts';
import { type ActivityNews, ActivityRepository, type KeyOwner } from '@clarion/persistence';
import {
  type BuiltNotification,
  insertMessages,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  until,
  type WorkflowRow,
} from '@clarion/testing';
import { ActivityStreams } from '../src/activity/activity-streams';
import { callGateway, startGateway, type TestGateway } from './harness';
import { open as openConnection } from './raw-http';

describe('exports, streams and lookups of the activity', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let ada: SubscriberDto;
  let otherKey: string;

  beforeAll(async () => {
    gateway = await startGateway();
    const { environmentId, database } = gateway;
    workflow = await insertWorkflow(database, { environmentId, workflowId: 'orders', name: 'Orders', steps: [] });
    const body = { subscriberId: 'ada/1', firstName: '=Ada', lastName: '"L"', email: 'ada@x.test', phone: '+4411111' };
    ada = (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', body)).body;
    otherKey = await gateway.secondKey();
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM notification; DELETE FROM step; DELETE FROM work`));

  const notify = (count: number, fields: Partial<BuiltNotification> = {}) =>
    insertNotifications(
      gateway.database,
      Array.from({ length: count }, () => ({
        environmentId: gateway.environmentId,
        subscriberId: ada._id! as SubscriberRowId,
        workflowId: workflow.id,
        ...fields,
      })),
    );

  describe('GET /v1/activity/export', () => {
    const download = (query: string, key = gateway.key) =>
      fetch(`${gateway.url}/v1/activity/export?${query}`, { headers: { authorization: `ApiKey ${key}` } });

    it('streams every page as CSV without formulas and as one JSON list', async () => {
      const rows = await notify(1_001);
      await insertSteps(gateway.database, rows[1_000]!, [
        { state: 'failed', providerId: 'sendgrid', error: { message: 'Mailbox, full' } },
      ]);

      const csv = await download('format=csv');
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(csv.headers.get('content-disposition')).toBe('attachment; filename="activity.csv"');
      const lines = (await csv.text()).trimEnd().split('\r\n');
      expect(lines).toHaveLength(1_002);
      expect(lines[1]).toContain(`"'=Ada ""L""","ada@x.test"`);
      expect(lines[1]).toContain('"email failed (sendgrid): Mailbox, full"');

      const json = await download('format=json');
      expect(json.headers.get('content-disposition')).toBe('attachment; filename="activity.json"');
      const list = (await json.json()) as ActivityRowDto[];
      expect(new Set(list.map(({ _id }) => _id))).toEqual(new Set(rows.map(({ id }) => id)));
    });

    it('exports an empty list, applies filters and refuses other formats', async () => {
      await notify(1, { transactionId: 'tx-a' });
      await notify(1, { transactionId: 'tx-b' });
      expect(await (await download('format=json&transactionId=none')).json()).toEqual([]);
      const list = (await (await download('format=json&transactionId=tx-b')).json()) as ActivityRowDto[];
      expect(list.map(({ transactionId }) => transactionId)).toEqual(['tx-b']);
      expect((await download('format=xml')).status).toBe(422);
      expect(await (await download('format=json', otherKey)).json()).toEqual([]);
    });

    async function endlessList() {
      const [row] = await notify(1);
      const activity = gateway.app.get(ActivityRepository);
      const { rows } = await activity.list(gateway.environmentId, {}, { limit: 1 });
      const endless = { rows, next: row!.id, searched: null, isBounded: false };
      return jest.spyOn(ActivityRepository.prototype, 'list').mockImplementation(() => Promise.resolve(endless));
    }

    it('begins the third export of an environment when one of two ends, and those of others at once', async () => {
      const list = await endlessList();
      const [first, second] = await Promise.all([download('format=json'), download('format=csv')]);
      let begun = false;
      const third = download('format=json').then((response) => {
        begun = true;
        return response;
      });
      const other = await download('format=json', otherKey);
      expect([other.status, begun]).toEqual([200, false]);
      await first.body!.cancel();
      const { status, body } = await third;
      expect(status).toBe(200);
      await Promise.all([body!.cancel(), second.body!.cancel(), other.body!.cancel()]);
      list.mockRestore();
    });

    it('gives the places of pipelined exports to others when the connection closes', async () => {
      const list = await endlessList();
      const caller = openConnection(gateway.url);
      const get = (path: string) =>
        `GET /v1/activity/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${gateway.key}\r\n\r\n`;
      const ids = ['tx-first', 'tx-second'];
      // The exports have their first page, but would not be sent before the stream ends.
      caller.write(get('stream') + ids.map((id) => get(`export?format=csv&transactionId=${id}`)).join(''));
      const asked = () => list.mock.calls.map(([, filter]) => JSON.stringify(filter)).join();
      await until(() => ids.every((id) => asked().includes(id)));
      caller.destroy();
      const { status, body } = await download('format=json');
      await body!.cancel();
      expect(status).toBe(200);
      list.mockRestore();
    });

    it('stops reading when the caller disconnects', async () => {
      const list = await endlessList();
      const response = await download('format=json');
      await response.body!.cancel();
      let before: number;
      do {
        before = list.mock.calls.length;
        await gateway.call('GET', '/v1/lookup?id=unknown');
      } while (list.mock.calls.length > before);
      list.mockRestore();
    });
  });

  describe('GET /v1/activity/stream', () => {
    type Event = { id?: string; event?: string; data?: unknown };

    async function open(key = gateway.key, lastEventId?: string) {
      const abort = new AbortController();
      const response = await fetch(`${gateway.url}/v1/activity/stream`, {
        headers: { authorization: `ApiKey ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
        signal: abort.signal,
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      /** The next event; undefined when the stream has ended. */
      async function next(): Promise<Event | undefined> {
        for (;;) {
          const end = text.indexOf('\n\n');
          if (end >= 0) {
            const block = text.slice(0, end);
            text = text.slice(end + 2);
            if (!block.includes('data: ')) continue;
            const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
            return { ...fields, data: JSON.parse(fields['data'] as string) as unknown };
          }
          const { value, done } = await reader.read();
          if (done) return undefined;
          text += value;
        }
      }
      const body = async () => JSON.parse((await reader.read()).value!) as { message: string };
      return { response, next, body, close: () => abort.abort() };
    }

    it('reports new notifications and changes of those in flight, with one read for all listeners', async () => {
      const [old] = await notify(1);
      const first = await open();
      const second = await open();
      expect(first.response.headers.get('content-type')).toBe('text/event-stream');
      const [fresh] = await notify(1, { transactionId: 'tx-live' });
      await insertSteps(gateway.database, fresh!, [{ state: 'queued' }]);
      const seen = [await first.next(), await second.next()];
      expect(seen[0]).toMatchObject({ event: 'notifications', id: fresh!.id, data: { count: 1 } });
      expect(seen[1]).toEqual(seen[0]);
      expect(old!.id).not.toBe(fresh!.id);

      await gateway.database.execute(`DELETE FROM work`);
      await insertSteps(gateway.database, fresh!, [{ state: 'completed' }]);
      let event = await first.next();
      while (event?.event === 'changed' && !JSON.stringify(event.data).includes('"delivered"'))
        event = await first.next();
      expect(event).toMatchObject({ event: 'changed', data: { ids: [fresh!.id], rows: [{ outcome: 'delivered' }] } });

      const resumed = await open(gateway.key, old!.id);
      expect(await resumed.next()).toMatchObject({ id: fresh!.id, data: { count: 1, newest: [{ _id: fresh!.id }] } });
      for (const { close } of [first, second, resumed]) close();
    });

    it('reads once per second for the streams of all environments, and only while there are some', async () => {
      const news = jest.spyOn(ActivityRepository.prototype, 'news');
      const foreign = await gateway.admin.createOrganization('Watching', { name: 'Theirs' });
      const streams = [await open(), await open(), await open(otherKey), await open(foreign.key)];
      const [made] = await notify(1);
      for (const stream of streams.slice(0, 2)) expect(await stream.next()).toMatchObject({ id: made!.id });
      const reads = news.mock.calls.map(([questions]) => questions.length);
      expect(reads.length).toBeLessThanOrEqual(2);
      expect(reads.at(-1)).toBe(3);
      // The other environments are told nothing of it.
      const answers = await Promise.all(news.mock.results.map(({ value }) => value as Promise<ActivityNews[]>));
      expect(answers.at(-1)!.filter(({ fresh }) => fresh.length > 0)).toHaveLength(1);
      for (const { close } of streams) close();
      news.mockRestore();
    });

    it('writes each row once, and its listeners share the bytes', async () => {
      const streams = gateway.app.get(ActivityStreams);
      const owner = { environmentId: gateway.environmentId } as KeyOwner;
      const allow = () => Promise.resolve();
      const listeners = await Promise.all([1, 2, 3].map(() => streams.open(owner, undefined, allow)));
      const chunks: Buffer[][] = listeners.map(() => []);
      for (const [index, listener] of listeners.entries()) listener.on('data', (chunk) => chunks[index]!.push(chunk));
      const [made] = await notify(1);
      await until(() => chunks.every((own) => own.join('').includes(made!.id)));
      const events = chunks.map((own) => own.find((chunk) => chunk.includes(made!.id)));
      expect(new Set(events).size).toBe(1);
      for (const listener of listeners) listener.destroy();
    });

    it('limits the bytes of what returning callers missed and do not read', async () => {
      const streams = gateway.app.get(ActivityStreams);
      const [old] = await notify(51);
      const before = streams['unread'];
      const share = tenantShare({ environment: 1, organization: 1, gateway: 2 });
      Object.assign(streams, { unread: new TenantCounts(() => share, gateway.database.organizations.of) });
      const owner = { environmentId: gateway.environmentId } as KeyOwner;
      const again = () => streams.open(owner, old!.id, () => Promise.resolve());
      const first = await again();
      await expect(again()).rejects.toMatchObject({ code: 'too_many_requests' });
      first.resume();
      await until(() =>
        again().then(
          (stream) => Boolean(stream.destroy()),
          () => false,
        ),
      );
      first.destroy();
      Object.assign(streams, { unread: before });
    });

    it('opens streams of many environments with few statements', async () => {
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          gateway.admin.createEnvironment(gateway.organizationId, { name: `Opened ${index}` }),
        ),
      );
      const lists = jest.spyOn(ActivityRepository.prototype, 'lists');
      const streams = await Promise.all(made.map(({ key }) => open(key)));
      expect(streams.map(({ response }) => response.status)).toEqual(made.map(() => 200));
      // The first one is read at once, and the others when that read has ended.
      expect(lists.mock.calls.length).toBeLessThan(made.length);
      expect(lists.mock.calls.flatMap(([ids]) => ids).sort()).toEqual(made.map(({ environment: { id } }) => id).sort());
      for (const { close } of streams) close();
      lists.mockRestore();
    });

    it('limits the streams of an environment, of its organization and of the gateway', async () => {
      const streams = gateway.app.get(ActivityStreams);
      const before = streams['share'];
      Object.assign(streams, { share: tenantShare({ environment: 2, organization: 3, gateway: 4 }) });
      const foreign = await gateway.admin.createOrganization('Streaming', { name: 'Theirs' });
      const keys = [gateway.key, gateway.key, gateway.key, otherKey, otherKey, foreign.key, foreign.key];
      const opened: Awaited<ReturnType<typeof open>>[] = [];
      for (const key of keys) opened.push(await open(key));
      expect(opened.map(({ response }) => response.status)).toEqual([200, 200, 429, 200, 429, 200, 429]);
      const messageOf = async (index: number) => (await opened[index]!.body()).message;
      const limit = (level: string, count: number) =>
        `The ${level} has ${count} open streams, which is its limit in each gateway`;
      expect(await messageOf(2)).toBe(limit('environment', 2));
      expect(await messageOf(4)).toBe(limit('organization', 3));
      expect(await messageOf(6)).toBe(limit('gateway', 4));
      for (const { close } of opened) close();
      for (let status = 429; status === 429;) {
        const again = await open(foreign.key);
        status = again.response.status;
        again.close();
      }
      Object.assign(streams, { share: before });
    });

    it('ends when the key is revoked, and refuses a wrong key', async () => {
      const { key, environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Short' });
      const stream = await open(key);
      await gateway.database.execute(`UPDATE api_key SET revoked_at = now() WHERE environment_id = $1`, [
        environment.id,
      ]);
      gateway.keys.forget();
      expect(await stream.next()).toBeUndefined();
      expect((await open('wrong-key-of-16-characters')).response.status).toBe(401);
    });
  });

  describe('GET /v1/lookup', () => {
    const lookup = async (id: string, key = gateway.key) =>
      (await callGateway<LookupDto>(gateway.url, key, 'GET', `/v1/lookup?id=${encodeURIComponent(id)}`)).body.data;

    it('finds every kind of id and names the page that shows it', async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const [row] = await notify(1, { transactionId: 'tx 1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
      await insertSteps(gateway.database, row!, [{ state: 'completed' }]);
      const integration = { providerId: 'sendgrid', channel: 'email', credentials: {}, active: false, check: false };
      const { body } = await gateway.call<{ _id: string }>('POST', '/v1/integrations', integration);
      const [message] = await insertMessages(gateway.database, [
        {
          environmentId: gateway.environmentId,
          subscriberId: ada._id!,
          notificationId: row!.id,
          transactionId: 'tx 1',
          integrationId: body._id,
          providerMessageId: 'sg-77',
          subject: 'Hello',
        },
      ]);
      await gateway.database.execute(`UPDATE trigger SET request_id = 'req-1' WHERE id = $1`, [row!.triggerId]);

      const path = `/activity/${row!.id}`;
      const title = 'Orders to ada/1';
      expect(await lookup(row!.id)).toEqual([{ kind: 'notification', _id: row!.id, title, path }]);
      expect(await lookup(stepIdOf(row!.id, 0))).toEqual([{ kind: 'step', _id: stepIdOf(row!.id, 0), title, path }]);
      expect(await lookup(stepIdOf(row!.id, 1))).toEqual([]);
      const sent = [{ kind: 'message', _id: message!.id, title: 'Hello', path }];
      expect(await lookup(message!.id)).toEqual(sent);
      expect(await lookup('sg-77')).toEqual(sent);
      const transaction = { kind: 'transaction', _id: 'tx 1', title: 'tx 1', path: '/activity?transactionId=tx%201' };
      for (const id of ['tx 1', traceId, 'req-1'])
        expect({ id, data: await lookup(id) }).toEqual({ id, data: [transaction] });
      const person = { kind: 'subscriber', _id: ada._id, title: '=Ada "L"', path: '/subscribers/ada%2F1' };
      for (const id of ['ada/1', ada._id!, 'ada@x.test', '+4411111']) expect(await lookup(id)).toEqual([person]);
      const authored = { kind: 'workflow', _id: workflow.id, title: 'Orders', path: '/workflows/orders' };
      for (const id of ['orders', workflow.id]) expect(await lookup(id)).toEqual([authored]);
      expect(await lookup('unknown')).toEqual([]);

      for (const id of [row!.id, message!.id, 'sg-77', 'tx 1', traceId, 'ada/1', 'orders']) {
        expect(await lookup(id, otherKey)).toEqual([]);
      }
      expect((await gateway.call('GET', '/v1/lookup')).status).toBe(422);
    });
  });
});
