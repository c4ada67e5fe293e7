import { type EnvironmentId, type Lane, placeOf, type StepId, type TriggerId } from '@clarion/contracts/core';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  type QueueOptions,
  type JobOffer,
  openQueue,
  QueueBackendError,
  QueueProducer,
  type QueueBackend,
  type QueueName,
  StepOffers,
  type StepsJob,
} from '@clarion/queue';
import { createEmptyDatabase, type TestDatabase, testQueueBackend, uniquePrefix, until } from '@clarion/testing';
import { openProcessor } from './open-processor';

describe('QueueProducer', () => {
  let test: TestDatabase;
  let backend: QueueBackend;
  const prefix = uniquePrefix();
  const errors: Error[] = [];
  const options = { prefix, onError: (error: Error) => void errors.push(error) };

  beforeAll(async () => {
    test = await createEmptyDatabase();
    backend = testQueueBackend(test.url);
  });
  afterAll(() => test.drop());

  it('adds one job with exactly the ids of the batch', async () => {
    const producer = await QueueProducer.open(backend, options);
    expect(await producer.enqueue('trigger', { v: 1, triggerIds: ['a' as TriggerId, 'b' as TriggerId] })).toBe(true);
    expect(producer.failedAdds).toBe(0);
    await producer.close();

    const { queue, close } = openQueue(backend, 'trigger', options);
    await queue.waitUntilReady();
    const jobs = await queue.getJobs(['prioritized']);
    expect(jobs.map((job) => job.data as unknown)).toEqual([{ v: 1, triggerIds: ['a', 'b'] }]);
    expect(jobs[0]!.opts).toMatchObject({ attempts: 1, removeOnComplete: true, removeOnFail: true });
    await close();
  });

  it('adds each job of a batch to its queue, with its delay, and returns the results in order', async () => {
    const own = { ...options, prefix: uniquePrefix() };
    const producer = await QueueProducer.open(backend, own);
    const steps = (...stepIds: StepId[]): StepsJob => ({ v: 1, stepIds });
    expect(
      await producer.enqueueMany([
        { name: 'deliver.sms', payload: steps('a' as StepId) },
        { name: 'timer', payload: steps('b' as StepId), delayMs: 60_000 },
        { name: 'deliver.sms', payload: steps('c' as StepId) },
        { name: 'timer', payload: steps('d' as StepId) },
      ]),
    ).toEqual([true, true, true, true]);
    expect(await producer.enqueue('timer', steps('e' as StepId), { delayMs: 30_000 })).toBe(true);
    expect(await producer.enqueueMany([])).toEqual([]);
    await producer.close();

    const waiting = await jobsIn('deliver.sms', own, 'prioritized');
    expect(waiting.map(({ data }) => data)).toEqual([steps('a' as StepId), steps('c' as StepId)]);
    expect((await jobsIn('timer', own, 'prioritized')).map(({ data }) => data)).toEqual([steps('d' as StepId)]);
    const delayed = await jobsIn('timer', own, 'delayed');
    expect(delayed.map(({ data, delay }) => [data, delay])).toEqual([
      [steps('e' as StepId), 30_000],
      [steps('b' as StepId), 60_000],
    ]);
  });

  describe('places', () => {
    let producer: QueueProducer;
    let own: QueueOptions;

    beforeEach(async () => {
      own = { ...options, prefix: uniquePrefix() };
      producer = await QueueProducer.open(backend, own);
    });
    afterEach(() => producer.close());

    const row = (id: string, lane: Lane, environmentId = 'one', lapsed = false) =>
      ({ id: id as StepId, type: 'sms', environmentId: environmentId as EnvironmentId, lane, lapsed }) as const;
    /** The first ids of the jobs, in the order in which a worker takes them. One with a free slot gives no shares. */
    const taken = async (count: number, concurrency = 10): Promise<string[]> => {
      const jobs: StepsJob[] = [];
      const take = (job: StepsJob): Promise<void> => Promise.resolve(void jobs.push(job));
      const consumer = await openProcessor(backend, 'deliver.sms', take, { ...own, concurrency });
      await until(() => jobs.length >= count);
      await consumer.close();
      return jobs.map(({ stepIds }) => stepIds[0]!);
    };
    const rows = (count: number, lane: Lane, name: string, environmentId?: string) =>
      Array.from({ length: count }, (_, at) => row(`${name}${at}`, lane, environmentId));

    it('orders jobs by their lane, and rows whose last holder crashed first in their lane', async () => {
      const offers = new StepOffers(producer);
      await offers.all([row('bulk', 3)]);
      await offers.all(rows(300, 2, 'normal'));
      await offers.all([row('crashed', 2, 'one', true), row('critical', 1)]);
      expect(await taken(6)).toEqual(['critical', 'normal0', 'normal100', 'crashed', 'normal200', 'bulk']);
    });

    it('lets a quiet environment go before one that has offered much, inside the lane', async () => {
      const offers = new StepOffers(producer);
      await offers.all(rows(1_000, 2, 'noisy', 'noisy'));
      await offers.all([row('quiet', 2, 'quiet')]);
      expect((await taken(11)).indexOf('quiet')).toBe(2);
    });

    it('lets it go before a noisy one of its organization, whichever process offers the rows', async () => {
      const organizationOf = (id: string): string => (id === 'other' ? id : 'organization');
      const gateway = await QueueProducer.open(backend, { ...own, organizationOf });
      const second = await QueueProducer.open(backend, { ...own, organizationOf });
      await new StepOffers(gateway).all(rows(5_000, 2, 'noisy', 'noisy'));
      await new StepOffers(second).all(rows(1_000, 2, 'slower', 'noisy'));
      await new StepOffers(gateway).all([row('quiet', 2, 'quiet')]);
      await new StepOffers(second).all([row('quiet2', 2, 'quiet'), row('other', 2, 'other')]);
      await Promise.all([gateway.close(), second.close()]);
      // Before them are what the noisy one may offer at once to each process.
      expect((await taken(63)).slice(4, 7)).toEqual(['quiet', 'quiet2', 'other']);
    });

    it('lets a quiet environment go before a flood of another one in the critical and the normal lane', async () => {
      const offers = new StepOffers(producer);
      await offers.all([...rows(2_000, 1, 'critical', 'noisy'), ...rows(2_000, 2, 'normal', 'noisy')]);
      await offers.all([row('quiet', 2, 'quiet')]);
      // Before it are what the noisy one may offer at once, in each lane.
      expect((await taken(41)).indexOf('quiet')).toBe(4);
    });

    it('gives each lane a share of the jobs while another one floods the queue', async () => {
      const jobs = (count: number, lane: Lane, name: string) =>
        Array.from({ length: count }, (_, at): JobOffer => ({
          name: 'deliver.sms',
          payload: { v: 1, stepIds: [`${name}${at}` as StepId] },
          place: placeOf(lane),
        }));
      await producer.enqueueMany([...jobs(5, 3, 'bulk'), ...jobs(5, 2, 'normal'), ...jobs(100, 1, 'critical')]);
      const order = await taken(110, 1);
      const endOfFlood = order.lastIndexOf('critical99');
      expect(order.indexOf('bulk0')).toBeLessThan(endOfFlood);
      expect(order.indexOf('normal0')).toBeLessThan(endOfFlood);
      expect(order.slice(0, 4)).toEqual(['critical0', 'critical1', 'critical2', 'critical3']);
    });
  });

  describe('the oldest job of a long queue', () => {
    let producer: QueueProducer;

    beforeEach(async () => {
      producer = await QueueProducer.open(backend, { ...options, prefix: uniquePrefix() });
    });
    afterEach(() => producer.close());

    const add = async (name: 'timer' | 'deliver.sms', count: number, delayMs?: number) => {
      const offers = Array.from({ length: count }, (): JobOffer => ({
        name,
        payload: { v: 1, stepIds: [] },
        ...(delayMs !== undefined && { delayMs }),
      }));
      expect(await producer.enqueueMany(offers)).toEqual(offers.map(() => true));
    };

    it('has the time at which its rows were stored, at most a second before it was added', async () => {
      const before = Date.now();
      await add('deliver.sms', 1);
      const after = Date.now();
      await until(() => Date.now() > after);
      await add('deliver.sms', 8);
      expect(await producer.loadOf('deliver.sms')).toEqual({ hasJobs: true, oldest: {}, taken: {} });
      await add('deliver.sms', 70);
      const load = await producer.loadOf('deliver.sms');
      expect(load.taken).toEqual(load.oldest);
      const oldest = load.oldest[2]!.getTime() + 1_000;
      expect(oldest).toBeGreaterThanOrEqual(before);
      expect(oldest).toBeLessThanOrEqual(after);
    });

    it('is also the one that a process works on, for the rows in its memory', async () => {
      const before = Date.now();
      let end = (): void => undefined;
      const worked = new Promise<void>((resolve) => (end = resolve));
      let started = 0;
      const work = (): Promise<void> => ((started += 1), worked);
      const own = { prefix: producer.prefix, onError: options.onError, concurrency: 2 };
      const consumer = await openProcessor(backend, 'deliver.sms', work, own);
      await add('deliver.sms', 1);
      const after = Date.now();
      await until(() => started === 1 && Date.now() > after);
      await add('deliver.sms', 20);
      await until(() => started >= 2);
      const { oldest, taken } = await producer.loadOf('deliver.sms');
      const first = taken[2]!.getTime() + 1_000;
      expect(first).toBeGreaterThanOrEqual(before);
      expect(first).toBeLessThanOrEqual(after);
      expect(oldest[2]!.getTime()).toBeGreaterThan(taken[2]!.getTime());
      end();
      await consumer.close();
    });

    it('does not count jobs that are due later', async () => {
      await add('timer', 60, 60_000);
      expect(await producer.loadOf('timer')).toEqual({ hasJobs: false, oldest: {}, taken: {} });
    });

    it('is returned for every step type of its queue', async () => {
      await add('timer', 50);
      const offers = new StepOffers(producer);
      const busy = await offers.busyQueues(['delay', 'digest', 'chat', 'trigger']);
      expect([...busy.keys()].toSorted()).toEqual(['delay', 'digest']);
      expect(busy.get('delay')).toEqual(await producer.loadOf('timer'));
      expect(await offers.busyQueues(['chat', 'trigger'])).toEqual(new Map());
    });
  });

  async function jobsIn(name: QueueName, own: QueueOptions, state: 'prioritized' | 'delayed') {
    const { queue, close } = openQueue(backend, name, own);
    await queue.waitUntilReady();
    const jobs = await queue.getJobs([state], 0, -1, true);
    await close();
    return jobs;
  }

  it('opens in several processes at the same time', async () => {
    const producers = await Promise.all([1, 2, 3, 4].map(() => QueueProducer.open(backend, options)));
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

  it('counts a failed add and continues when Redis is down or hangs', async () => {
    for (const port of [1, (server.address() as AddressInfo).port]) {
      const producer = await QueueProducer.open({ kind: 'redis', url: `redis://127.0.0.1:${port}` }, options);
      expect(await producer.enqueue('trigger', { v: 1, triggerIds: ['a' as TriggerId] })).toBe(false);
      expect(producer.failedAdds).toBe(1);
      const two = ['deliver.sms', 'timer'].map((name) => ({ name, payload: { v: 1, stepIds: [] } }) as JobOffer);
      expect(await producer.enqueueMany(two)).toEqual([false, false]);
      expect(producer.failedAdds).toBe(3);
      // No row is offered to a queue that cannot take its job.
      expect(await producer.loadOf('trigger')).toEqual({
        hasJobs: true,
        oldest: { 1: new Date(0), 2: new Date(0), 3: new Date(0) },
        taken: {},
      });
      await producer.close();
    }
  });

  it('rejects a Redis with an evicting policy', async () => {
    // The response of a Redis with an evicting policy to INFO memory.
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
    await expect(QueueProducer.open({ kind: 'redis', url }, options)).rejects.toThrow(QueueBackendError);
    evicting.close();
  });
});
