import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { openQueue, QueueEngineError, QueueProducer, type QueueEngine } from '@clarion/queue';
import { createEmptyDatabase, type TestDatabase, testQueueEngine, uniquePrefix } from '@clarion/testing';

describe('QueueProducer', () => {
  let test: TestDatabase;
  let engine: QueueEngine;
  const prefix = uniquePrefix();
  const errors: Error[] = [];
  const options = { prefix, onError: (error: Error) => void errors.push(error) };

  beforeAll(async () => {
    test = await createEmptyDatabase();
    engine = testQueueEngine(test.url);
  });
  afterAll(() => test.drop());

  it('adds one job with the ids of the batch and nothing else', async () => {
    const producer = await QueueProducer.open(engine, options);
    expect(await producer.enqueue('trigger', { v: 1, triggerIds: ['a', 'b'] })).toBe(true);
    expect(producer.failedAdds).toBe(0);
    await producer.close();

    const { queue, close } = openQueue(engine, 'trigger', options);
    await queue.waitUntilReady();
    const jobs = await queue.getJobs(['waiting']);
    expect(jobs.map((job) => job.data as unknown)).toEqual([{ v: 1, triggerIds: ['a', 'b'] }]);
    expect(jobs[0]!.opts).toMatchObject({ attempts: 1, removeOnComplete: true, removeOnFail: true });
    await close();
  });

  it('may be opened by several processes at once', async () => {
    const producers = await Promise.all([1, 2, 3, 4].map(() => QueueProducer.open(engine, options)));
    expect(
      await Promise.all(producers.map((producer) => producer.enqueue('trigger', { v: 1, triggerIds: [] }))),
    ).toEqual([true, true, true, true]);
    await Promise.all(producers.map((producer) => producer.close()));
  });
});

describe('QueueProducer without a working Redis', () => {
  const options = { prefix: uniquePrefix(), onError: () => undefined };
  let server: Server;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    // A Redis that accepts connections and never answers.
    server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('gives up on a Redis that is down or frozen, counts it and goes on', async () => {
    for (const port of [1, (server.address() as AddressInfo).port]) {
      const producer = await QueueProducer.open({ kind: 'redis', url: `redis://127.0.0.1:${port}` }, options);
      expect(await producer.enqueue('trigger', { v: 1, triggerIds: ['a'] })).toBe(false);
      expect(producer.failedAdds).toBe(1);
      await producer.close();
    }
  }, 20_000);

  it('refuses a Redis that may evict jobs', async () => {
    // What a real one answers to INFO memory when it runs with an evicting policy.
    const info = '# Memory\r\nmaxmemory:20971520\r\nmaxmemory_policy:allkeys-lru\r\n';
    const answer = (command: string): string =>
      /\r\ninfo\r\n/i.test(command) ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n';
    const evicting = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          for (const command of data.toString().split(/(?=\*\d+\r\n)/)) socket.write(answer(command));
        }),
    );
    await new Promise<void>((resolve) => evicting.listen(0, '127.0.0.1', resolve));
    const url = `redis://127.0.0.1:${(evicting.address() as AddressInfo).port}`;
    await expect(QueueProducer.open({ kind: 'redis', url }, options)).rejects.toThrow(QueueEngineError);
    evicting.close();
  });
});
