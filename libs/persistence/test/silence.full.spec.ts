import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connectWhenAvailable, Database, isDatabaseUnavailable } from '@clarion/persistence';
import { createEmptyDatabase, type TestDatabase } from '@clarion/testing';

/** A machine that is switched off says no goodbye; the one that takes over knows nothing of its connections. */
describe('a Postgres that goes without a word', () => {
  let test: TestDatabase;
  let network: Awaited<ReturnType<typeof networkTo>>;

  beforeAll(async () => {
    test = await createEmptyDatabase();
    network = await networkTo(test.url);
  });
  afterAll(async () => {
    network.close();
    await test.drop();
  });

  it('gives up a silent server soon and connects to its new address', async () => {
    const options = { url: network.url, poolSize: 2, silenceMs: 4_000 };
    const dataSource = await connectWhenAvailable(options, () => undefined);
    try {
      const database = new Database(dataSource);
      await Promise.all([database.ping(), database.ping()]);
      network.forget();
      const lost = await Promise.allSettled([database.ping(), database.ping()]);
      expect(lost.map((one) => one.status === 'rejected' && isDatabaseUnavailable(one.reason))).toEqual([true, true]);
      await database.ping();
      // As long as it answers now and then, it may take its time.
      await database.query('SELECT pg_sleep(2.1)');
      await database.query('SELECT pg_sleep(2.1)');
    } finally {
      await dataSource.destroy();
    }
  });
});

/** `forget` drops all traffic of the open connections without closing them. */
async function networkTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    forget: () => sockets.forEach((socket) => socket.unpipe().pause()),
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
