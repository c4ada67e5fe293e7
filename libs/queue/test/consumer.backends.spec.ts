import { placeOf, type StepId } from '@clarion/contracts/core';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  type JobContext,
  openQueue,
  type QueueBackend,
  queuePrefix,
  QueueProducer,
  type StepsJob,
} from '@clarion/queue';
import { createEmptyDatabase, type TestDatabase, testQueueBackend, uniquePrefix, until } from '@clarion/testing';
import { openProcessor, type ProcessorOptions } from './open-processor';
import { openBackendProxy } from './tcp-proxy';

const QUEUE = 'deliver.email';
const NEVER = new Promise<never>(() => undefined);

type Handler = (payload: StepsJob, context: JobContext) => Promise<void>;

describe('QueueProcessor', () => {
  let test: TestDatabase;
  let backend: QueueBackend;
  let options: ProcessorOptions;
  let producer: QueueProducer;
  let errors: Error[];
  let closers: (() => Promise<unknown>)[];

  beforeAll(async () => {
    test = await createEmptyDatabase();
    backend = testQueueBackend(test.url);
  });
  afterAll(() => test.drop());

  beforeEach(async () => {
    errors = [];
    closers = [];
    options = { prefix: uniquePrefix(), concurrency: 10, onError: (error) => void errors.push(error) };
    // On a busy machine the producer reports a slow add, which is made all the same.
    producer = await QueueProducer.open(backend, { ...options, onError: () => undefined });
    closers.push(() => producer.close());
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
  });

  const consume = async (handler: Handler, given: Partial<ProcessorOptions> = {}, on = backend) => {
    const { processor, close } = await openProcessor(on, QUEUE, handler, { ...options, ...given });
    closers.push(close);
    return processor;
  };

  const offer = (...stepIds: StepId[]) => producer.enqueue(QUEUE, { v: 1, stepIds });

  /** A handler that records its payloads; `got(n)` resolves when it has seen n jobs. */
  const recorder = () => {
    const seen: string[][] = [];
    const waiters: { count: number; resolve: () => void }[] = [];
    return {
      seen,
      handler: ({ stepIds }: StepsJob): Promise<void> => {
        seen.push(stepIds);
        for (const { count, resolve } of waiters) if (seen.length >= count) resolve();
        return Promise.resolve();
      },
      got: (count: number): Promise<void> =>
        new Promise((resolve) => (seen.length >= count ? resolve() : waiters.push({ count, resolve }))),
    };
  };

  const gate = () => {
    let open!: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { open, opened };
  };

  const inQueue = async () => {
    const { queue, close } = openQueue(backend, QUEUE, options);
    await queue.waitUntilReady();
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
    const delayed = await queue.getDelayed();
    await close();
    return { counts, delayed };
  };
  const EMPTY = { waiting: 0, active: 0, delayed: 0, completed: 0, failed: 0 };

  const untilEmpty = async () => {
    for (;;) {
      const { counts } = await inQueue();
      if (Object.values(counts).every((count) => count === 0)) return;
    }
  };

  it('passes each job to the handler once and leaves nothing in the queue', async () => {
    const { handler, seen, got } = recorder();
    await producer.enqueueMany(
      ['a', 'b', 'c'].map((id) => ({ name: QUEUE, payload: { v: 1, stepIds: [id, `${id}2`] as StepId[] } })),
    );
    const consumer = await consume(handler);
    await got(3);
    await offer('d' as StepId);
    await got(4);
    await consumer.close(1_000);
    expect(seen.toSorted()).toEqual([['a', 'a2'], ['b', 'b2'], ['c', 'c2'], ['d']]);
    expect((await inQueue()).counts).toEqual(EMPTY);
    expect(errors).toEqual([]);
  });

  it('runs as many jobs in parallel as its concurrency allows', async () => {
    const { open, opened } = gate();
    const three = gate();
    let atWork = 0;
    let most = 0;
    const all = gate();
    let done = 0;
    const consumer = await consume(
      async () => {
        most = Math.max(most, (atWork += 1));
        if (atWork === 3) three.open();
        await opened;
        atWork -= 1;
        if ((done += 1) === 8) all.open();
      },
      { concurrency: 3 },
    );
    for (let job = 0; job < 8; job += 1) await offer(String(job) as StepId);
    await three.opened;
    expect(consumer.active).toBe(3);
    open();
    await all.opened;
    expect(most).toBe(3);
  });

  it('takes no other job while those that it runs name more than a thousand rows', async () => {
    const { open, opened } = gate();
    const eleven = gate();
    let atWork = 0;
    let most = 0;
    let done = 0;
    const stepIds = Array.from({ length: 100 }, (_, row) => String(row) as StepId);
    await producer.enqueueMany(Array.from({ length: 30 }, () => ({ name: QUEUE, payload: { v: 1, stepIds } })));
    const consumer = await consume(
      async () => {
        most = Math.max(most, (atWork += 1));
        if (atWork === 11) eleven.open();
        await opened;
        atWork -= 1;
        done += 1;
      },
      { concurrency: 20 },
    );
    await eleven.opened;
    expect((await inQueue()).counts['active']).toBe(11);
    expect(consumer.active).toBe(11);
    open();
    await until(() => done === 30);
    expect(most).toBe(11);
  });

  it('runs a job that goes before all others also while these fill it, and no other one', async () => {
    const { open, opened } = gate();
    const { handler, seen, got } = recorder();
    const offerAt = (id: string, place: number) =>
      producer.enqueue(QUEUE, { v: 1, stepIds: [id as StepId] }, { place });
    const consumer = await consume(async (payload) => {
      await handler(payload);
      if (payload.stepIds[0]!.startsWith('noisy')) await opened;
    });
    for (let job = 0; job < 12; job += 1) await offerAt(`noisy${job}`, placeOf(2, 5));
    await got(10);
    for (const id of ['quiet0', 'quiet1', 'quiet2']) await offerAt(id, placeOf(2));
    await got(13);
    expect(seen.slice(10).flat().toSorted()).toEqual(['quiet0', 'quiet1', 'quiet2']);
    await until(() => consumer.active === 10);
    open();
    await got(15);
  });

  it('reports the error of a handler, drops its job and continues', async () => {
    const { handler, got } = recorder();
    await consume(async (payload) => {
      await handler(payload);
      if (payload.stepIds[0] === 'bad') throw new Error('the handler fails');
    });
    await offer('bad' as StepId);
    await offer('good' as StepId);
    await got(2);
    await untilEmpty();
    expect(errors.map(({ message }) => message)).toEqual(['the handler fails']);
  });

  it.each([
    ['a newer version', { v: 2, things: [] }],
    ['no version', {}],
    ['no object', 'text'],
  ])('delays a job with %s for half a minute', async (_name, payload) => {
    const { handler, seen, got } = recorder();
    await consume(handler);
    await producer.enqueue(QUEUE, payload as unknown as StepsJob);
    await offer('known' as StepId);
    await got(1);
    await until(async () => (await inQueue()).delayed.length > 0);
    const { delayed } = await inQueue();
    expect(delayed.map(({ data }) => data)).toEqual([payload]);
    expect(delayed[0]!.delay).toBeGreaterThan(20_000);
    expect(delayed[0]!.delay).toBeLessThanOrEqual(30_000);
    expect(seen).toEqual([['known']]);
    expect(errors).toEqual([]);
  });

  it('runs a delayed job when it is due and not earlier', async () => {
    const { handler, got } = recorder();
    await consume(handler);
    const offeredAt = Date.now();
    await producer.enqueue(QUEUE, { v: 1, stepIds: ['later' as StepId] }, { delayMs: 400 });
    await got(1);
    expect(Date.now() - offeredAt).toBeGreaterThanOrEqual(399);
    expect(Date.now() - offeredAt).toBeLessThan(30_000);
  });

  it('reports when it last made progress', async () => {
    const { handler, got } = recorder();
    const consumer = await consume(handler);
    const before = performance.now();
    expect(consumer.lastProgressAt).toBeLessThan(before);
    await offer('a' as StepId);
    await got(1);
    expect(consumer.lastProgressAt).toBeGreaterThan(before);
  });

  it('waits for running handlers when it closes', async () => {
    const started = gate();
    const { open, opened } = gate();
    let finished = false;
    const consumer = await consume(async (_payload, { signal }) => {
      started.open();
      await opened;
      finished = !signal.aborted;
    });
    await offer('a' as StepId);
    await started.opened;
    const closing = consumer.close(30_000);
    expect((await inQueue()).counts).toEqual({ ...EMPTY, active: 1 });
    open();
    await closing;
    expect(finished).toBe(true);
    expect((await inQueue()).counts).toEqual(EMPTY);
    expect(errors).toEqual([]);
  });

  it('aborts handlers at the deadline and does not wait for one that ignores the signal', async () => {
    const started = gate();
    let aborted = false;
    const consumer = await consume(({ stepIds }, { signal }) => {
      if (stepIds[0] === 'deaf') return NEVER;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => void ((aborted = true), resolve()));
        started.open();
      });
    });
    await offer('deaf' as StepId);
    await offer('listens' as StepId);
    await started.opened;
    const before = performance.now();
    await consumer.close(50);
    expect(aborted).toBe(true);
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it('takes no job while it is paused and leaves the jobs to other consumers', async () => {
    const first = recorder();
    const consumer = await consume(first.handler);
    await offer('before' as StepId);
    await first.got(1);
    const paused = consumer.pause();
    await offer('after' as StepId);
    await paused;
    const second = recorder();
    await consume(second.handler);
    await second.got(1);
    expect(second.seen).toEqual([['after']]);
    expect(first.seen).toEqual([['before']]);
  });

  it('reconnects after an outage of its server', async () => {
    const proxy = await openBackendProxy(backend);
    closers.push(() => proxy.close());
    const { handler, got } = recorder();
    await consume(handler, {}, proxy.backend);
    await offer('before' as StepId);
    await got(1);
    await proxy.cut();
    await offer('meanwhile' as StepId);
    await proxy.restore();
    await got(2);
    await offer('afterwards' as StepId);
    await got(3);
  });

  it.each(['gone', 'frozen'])('closes in time when its server is %s', async (how) => {
    const proxy = await openBackendProxy(backend);
    closers.push(() => proxy.close());
    const noticed = gate();
    const started = gate();
    const { open, opened } = gate();
    const consumer = await consume(
      async () => {
        started.open();
        await opened;
      },
      { onError: noticed.open },
      proxy.backend,
    );
    await offer('a' as StepId);
    await started.opened;
    if (how === 'gone') {
      await proxy.cut();
      await noticed.opened;
    } else proxy.freeze();
    open();
    const before = performance.now();
    await consumer.close(1_000);
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it('waits for a Redis that is not running yet and fails to start without Postgres', async () => {
    const proxy = await openBackendProxy(backend);
    closers.push(() => proxy.close());
    await proxy.cut();
    const { handler, got } = recorder();
    if (backend.kind === 'postgres') {
      await expect(consume(handler, {}, proxy.backend)).rejects.toThrow('ECONNREFUSED');
      await proxy.restore();
      await consume(handler, {}, proxy.backend);
    } else {
      await consume(handler, {}, proxy.backend);
      await proxy.restore();
    }
    await offer('a' as StepId);
    await got(1);
  });

  it('needs few round trips for a single job', async () => {
    const { handler, got } = recorder();
    await consume(handler);
    let handled = 0;
    const lone = async () => {
      await offer('lone' as StepId);
      await got((handled += 1));
      await untilEmpty();
    };
    // The first jobs load the scripts into the server.
    await lone();
    await lone();
    const watch = backend.kind === 'redis' ? watchRedis(backend.url, options.prefix) : watchPostgres(test);
    const jobs = 5;
    for (let job = 0; job < jobs; job += 1) {
      await offer('lone' as StepId);
      await got((handled += 1));
      while (await watch.isBusy()) continue;
    }
    const trips = watch.stop();
    expect(trips).toBeGreaterThan(2 * jobs);
    expect(trips).toBeLessThanOrEqual((backend.kind === 'redis' ? 7 : 12) * jobs);
  });
});

/** The commands that the clients of this process send to Redis; those inside scripts cost no round trip. */
function watchRedis(url: string, prefix: string) {
  const redis = new Redis(url);
  const { sendCommand } = Redis.prototype;
  let trips = 0;
  Redis.prototype.sendCommand = function (this: Redis, ...args) {
    if (this !== redis && args[0].args.some((part) => String(part).includes(prefix))) trips += 1;
    return sendCommand.apply(this, args);
  };
  return {
    isBusy: async () => (await redis.llen(`${queuePrefix(prefix, QUEUE)}:${QUEUE}:active`)) > 0,
    stop: () => {
      Redis.prototype.sendCommand = sendCommand;
      redis.disconnect();
      return trips;
    },
  };
}

function watchPostgres({ database }: TestDatabase) {
  const busy = `SELECT 1 FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND state = 'active'`;
  const { query } = pg.Client.prototype;
  let trips = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    if (first !== busy && (first as { text?: string }).text !== busy) trips += 1;
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return {
    isBusy: async () => (await database.query(busy)).length > 0,
    stop: () => {
      pg.Client.prototype.query = query;
      return trips;
    },
  };
}
