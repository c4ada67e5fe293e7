import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { until } from '@clarion/testing';
import { startOwnGateway, type TestGateway } from './harness';
import { exchange, open } from './raw-http';

describe('slow callers', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startOwnGateway({ CLARION_HTTP_TIMEOUT_MS: '1500' });
  });
  afterAll(() => gateway.close());
  afterEach(async () => {
    expect((await gateway.call('GET', '/v2/subscribers')).status).toBe(200);
  });

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
    caller.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40));
    const [connection] = await arrives;
    await once(connection, 'close');
    caller.destroy();
  });
});

describe('connections', () => {
  it('accepts a limited number of connections and a new one after another has closed', async () => {
    const gateway = await startOwnGateway({ CLARION_HTTP_CONNECTIONS: '2' });
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
