import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueueBackend, type RealtimeEvent, RealtimeRelay } from '@clarion/queue';
import { createEmptyDatabase, type TestDatabase, testQueueBackend, uniquePrefix } from '@clarion/testing';
import { openBackendProxy } from './tcp-proxy';

const event = (subscriberId: string, kind: RealtimeEvent['kind'] = 'message.created'): RealtimeEvent => ({
  v: 1,
  kind,
  environmentId: 'environment',
  subscriberId,
  messageIds: ['m1', `it's "quoted"`],
});

describe('RealtimeRelay', () => {
  let test: TestDatabase;
  let backend: QueueBackend;
  let prefix: string;
  let relays: RealtimeRelay[];
  let errors: Error[];

  beforeAll(async () => {
    test = await createEmptyDatabase();
    backend = testQueueBackend(test.url);
  });
  afterAll(() => test.drop());
  beforeEach(() => {
    prefix = uniquePrefix();
    relays = [];
    errors = [];
  });
  afterEach(() => Promise.all(relays.map((relay) => relay.close())));

  const open = (given: { prefix?: string; backend?: QueueBackend } = {}): RealtimeRelay => {
    const options = { prefix: given.prefix ?? prefix, onError: (error: Error) => void errors.push(error) };
    const relay = new RealtimeRelay(given.backend ?? backend, options);
    relays.push(relay);
    return relay;
  };

  /** Subscribes; `until(subscriber)` resolves when an event for that subscriber has arrived. */
  const listen = async (relay: RealtimeRelay) => {
    const heard: RealtimeEvent[] = [];
    const waiters = new Map<string, () => void>();
    const stop = await relay.subscribe((events) => {
      heard.push(...events);
      for (const { subscriberId } of events) waiters.get(subscriberId)?.();
    });
    const until = (subscriberId: string): Promise<void> =>
      heard.some((one) => one.subscriberId === subscriberId)
        ? Promise.resolve()
        : new Promise((resolve) => waiters.set(subscriberId, resolve));
    return { heard, stop, until };
  };

  it('delivers batches to every process in order', async () => {
    const listeners = await Promise.all([listen(open()), listen(open())]);
    const events = [event('a'), event('b', 'message.updated'), event('c', 'message.deleted')];
    const publisher = open();
    await publisher.publish(events);
    await publisher.publish([event('end')]);
    for (const { heard, until } of listeners) {
      await until('end');
      expect(heard).toEqual([...events, event('end')]);
    }
    expect(errors).toEqual([]);
    expect(publisher.failedPublishes).toBe(0);
  });

  it('delivers a large batch', async () => {
    const { heard, until } = await listen(open());
    const events = Array.from({ length: 500 }, (_, index) => event(`s${index}`));
    await open().publish([...events, event('end')]);
    await until('end');
    expect(heard).toEqual([...events, event('end')]);
  });

  it('separates prefixes and stops delivering to a listener that has unsubscribed', async () => {
    const otherPrefix = uniquePrefix();
    const other = await listen(open({ prefix: otherPrefix }));
    const relay = open();
    const left = await listen(relay);
    const here = await listen(relay);
    left.stop();
    await open().publish([event('a')]);
    await here.until('a');
    expect(left.heard).toEqual([]);
    await open({ prefix: otherPrefix }).publish([event('end')]);
    await other.until('end');
    expect(other.heard).toEqual([event('end')]);
  });

  it('ignores events of a newer release', async () => {
    const { heard, until } = await listen(open());
    const newer = { ...event('newer'), v: 2 } as unknown as RealtimeEvent;
    await open().publish([newer, event('known')]);
    await until('known');
    expect(heard).toEqual([event('known')]);
  });

  it('continues after a listener throws', async () => {
    const relay = open();
    await relay.subscribe(() => {
      throw new Error('the listener fails');
    });
    const { until } = await listen(relay);
    await open().publish([event('a')]);
    await until('a');
    expect(errors.map(({ message }) => message)).toEqual(['the listener fails']);
  });

  it('reconnects to its server, reports the gap and counts the batches that failed meanwhile', async () => {
    const proxy = await openBackendProxy(backend);
    const relay = open({ backend: proxy.backend });
    const { heard, until } = await listen(relay);
    let gaps = 0;
    await relay.subscribe(
      () => undefined,
      () => (gaps += 1),
    );
    await relay.publish([event('before')]);
    await until('before');
    expect(gaps).toBe(0);
    await proxy.cut();
    await relay.publish([event('lost')]);
    expect(relay.failedPublishes).toBe(1);
    await proxy.restore();
    const back = until('back');
    let isBack = false;
    void back.then(() => (isBack = true));
    while (!isBack) {
      await relay.publish([event('back')]);
      await nextTurn();
    }
    expect(heard.map(({ subscriberId }) => subscriberId)).not.toContain('lost');
    while (gaps === 0) await nextTurn();
    expect(gaps).toBe(1);
    await relay.close();
    await proxy.close();
  });

  it('publishes within its timeout and closes when the server hangs', async () => {
    const proxy = await openBackendProxy(backend);
    const relay = open({ backend: proxy.backend });
    await listen(relay);
    await relay.publish([event('a')]);
    proxy.freeze();
    const before = performance.now();
    await relay.publish([event('b')]);
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(relay.failedPublishes).toBe(1);
    await relay.close();
    expect(performance.now() - before).toBeLessThan(60_000);
    await proxy.close();
  });
});
