import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import type { SubscriberDto, SubscriberRowId } from '@clarion/contracts';
import { ActivityRepository } from '@clarion/persistence';
import { insertNotifications, insertWorkflow, until } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';
import { exchange, open } from './raw-http';

describe('slow callers', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_HTTP_TIMEOUT_MS: '1500' });
  });
  afterAll(() => gateway.close());
  // On a busy machine this caller may be slow too.
  afterEach(() => until(async () => (await gateway.call('GET', '/v2/subscribers')).status === 200));

  const post = (): string =>
    `POST /v2/subscribers HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${gateway.key}\r\n` +
    'Content-Type: application/json\r\n';

  it.each([
    ['headers', 'GET /v2/subscribers HTTP/1.1\r\nHost:', ''],
    ['a body of known length', 'Content-Length: 100\r\n\r\n', '{"subscriberId":'],
    ['a body of unknown length', 'Transfer-Encoding: chunked\r\n\r\n', '5\r\n{"sub\r\n'],
  ])('answers 408 to a caller that does not finish sending %s', async (what, head, body) => {
    const answer = await exchange(gateway.url, what === 'headers' ? head : post() + head, body);
    expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 408, message: 'Request Timeout' });
  });

  it('closes the connection of a caller that does not read a long response', async () => {
    const arrives = once(gateway.app.getHttpServer() as Server, 'connection') as Promise<[Socket]>;
    const caller = open(gateway.url);
    caller.pause();
    // More than the operating system buffers for a connection.
    caller.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(15));
    const [connection] = await arrives;
    await once(connection, 'close');
    caller.destroy();
  });

  describe('of exports', () => {
    let list: jest.SpyInstance;

    beforeAll(async () => {
      const [sample] = await insertSample();
      // More than the operating system buffers for a connection.
      const rows = Array.from({ length: 100 }, () => ({ ...sample!, transactionId: 'x'.repeat(100_000) }));
      const endless = { rows, next: sample!.id, searched: null, isBounded: false };
      list = jest.spyOn(ActivityRepository.prototype, 'list').mockImplementation(() => Promise.resolve(endless));
    });
    afterAll(() => list.mockRestore());

    async function insertSample() {
      const { body } = await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId: 'ada' });
      const { environmentId, database } = gateway;
      const workflow = await insertWorkflow(database, {
        environmentId,
        workflowId: 'orders',
        name: 'Orders',
        steps: [],
      });
      const subscriberId = body._id as SubscriberRowId;
      await insertNotifications(database, [{ environmentId, subscriberId, workflowId: workflow.id }]);
      const activity = new ActivityRepository(database);
      return (await activity.list(environmentId, {}, { limit: 1 })).rows;
    }

    const target = '/v1/activity/export?format=json';
    const get = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${gateway.key}\r\n\r\n`;
    it('ends exports that callers do not read, also while they go on sending, and gives the places to others', async () => {
      const server = gateway.app.getHttpServer() as Server;
      const closed: Promise<unknown>[] = [];
      const count = (connection: Socket) => closed.push(once(connection, 'close'));
      server.on('connection', count);
      const callers = [1, 2].map(() => {
        const caller = silent(gateway.url);
        caller.write(get(target));
        return caller;
      });
      await until(() => closed.length === callers.length);
      server.off('connection', count);
      await Promise.all(closed);
      await until(async () => {
        const next = open(gateway.url);
        next.write(get(target));
        const [begun] = (await once(next, 'data')) as [Buffer];
        next.destroy();
        return begun.toString('latin1').startsWith('HTTP/1.1 200 ');
      });
      for (const caller of callers) caller.destroy();
    });
  });
});

/** Reads nothing, but goes on sending requests, so that the connection is never idle. */
function silent(url: string): Socket {
  const caller = open(url);
  caller.pause();
  const timer = setInterval(() => caller.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'), 500);
  caller.on('error', () => undefined);
  return caller.once('close', () => clearInterval(timer));
}

describe('connections', () => {
  it('handles few requests of a connection that sends many at once, and closes it', async () => {
    const gateway = await startGateway();
    const caller = open(gateway.url).setEncoding('latin1');
    let text = '';
    caller.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
    caller.write('GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500));
    await once(caller, 'close');
    expect(text.split('HTTP/1.1 404').length - 1).toBeLessThanOrEqual(16);
    const few = open(gateway.url).setEncoding('latin1');
    text = '';
    few.on('data', (chunk: string) => (text += chunk));
    few.write('GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(16));
    await until(() => text.split('HTTP/1.1 404').length - 1 === 16);
    few.destroy();
  });

  it('accepts a limited number of connections and a new one after another has closed', async () => {
    const gateway = await startGateway({ CLARION_HTTP_CONNECTIONS: '2' });
    try {
      const served = async (): Promise<Socket> => {
        const caller = open(gateway.url);
        caller.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(caller, 'data');
        return caller;
      };
      const [first, second] = [await served(), await served()];
      const third = open(gateway.url);
      third.on('error', () => undefined);
      await once(third, 'close');
      expect(third.bytesRead).toBe(0);
      const server = gateway.app.getHttpServer() as Server;
      const connections = (): Promise<number> =>
        new Promise((resolve, reject) =>
          server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
        );
      first.destroy();
      await until(async () => (await connections()) <= 1);
      (await served()).destroy();
      second.destroy();
    } finally {
      await gateway.close();
    }
  });
});
