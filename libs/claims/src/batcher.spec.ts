import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batcher, type BatcherOptions } from './batcher';

type Call = { items: number[]; finish: () => void; fail: (error: Error) => void };

/** A `run` whose batches end under control of the test; the result of an item is its double. */
function controlled(options: Partial<BatcherOptions<number, number>> = {}) {
  const calls: Call[] = [];
  const run = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      calls.push({ items, finish: () => resolve(items.map((item) => item * 2)), fail: reject });
    });
  const batcher = new Batcher({ maxItems: 10, maxWaitMs: 0, concurrency: 1, run, ...options });
  return { calls, batcher, items: () => calls.map((call) => call.items) };
}

describe('Batcher', () => {
  it('batches the items of one turn of the event loop and returns each result to its caller', async () => {
    const { batcher, calls, items } = controlled();
    const results = Promise.all([batcher.add(1), batcher.addMany([2, 3]), batcher.add(4)]);
    expect(calls).toEqual([]);
    await nextTurn();
    expect(items()).toEqual([[1, 2, 3, 4]]);
    calls[0]!.finish();
    expect(await results).toEqual([2, [4, 6], 8]);
  });

  it('asks for the wait time again for each batch', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const waits = [0, 20];
      const { batcher, calls, items } = controlled({ maxWaitMs: () => waits.shift()! });
      const first = batcher.add(1);
      await nextTurn();
      expect(items()).toEqual([[1]]);
      calls[0]!.finish();
      await first;
      await nextTurn();
      const second = batcher.add(2);
      jest.advanceTimersByTime(19);
      const third = batcher.add(3);
      expect(items()).toEqual([[1]]);
      jest.advanceTimersByTime(1);
      expect(items()).toEqual([[1], [2, 3]]);
      calls[1]!.finish();
      expect(await Promise.all([second, third])).toEqual([4, 6]);
      expect(waits).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends a batch before it gets too heavy, and runs a heavier item alone', async () => {
    const { batcher, calls, items } = controlled({ maxItems: 3, weight: { of: (item) => item, most: 10 } });
    const results = batcher.addMany([4, 6, 1, 25, 1, 1, 1, 1]);
    for (let batch = 0; batch < 5; batch += 1) {
      await nextTurn();
      calls[batch]!.finish();
      await nextTurn();
    }
    expect(items()).toEqual([[4, 6], [1], [25], [1, 1, 1], [1]]);
    expect(await results).toEqual([8, 12, 2, 50, 2, 2, 2, 2]);
  });

  it('collects items that arrive while a batch runs', async () => {
    const { batcher, calls, items } = controlled();
    const first = batcher.add(1);
    await nextTurn();
    const second = batcher.add(2);
    await nextTurn();
    const third = batcher.add(3);
    await nextTurn();
    expect(items()).toEqual([[1]]);
    calls[0]!.finish();
    expect(await first).toBe(2);
    await nextTurn();
    expect(items()).toEqual([[1], [2, 3]]);
    calls[1]!.finish();
    expect(await Promise.all([second, third])).toEqual([4, 6]);
  });

  it('starts a full batch at once and splits a larger one', async () => {
    const { batcher, calls, items } = controlled({ maxItems: 2, concurrency: 2 });
    const results = batcher.addMany([1, 2, 3, 4, 5]);
    expect(items()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    calls[0]!.finish();
    await nextTurn();
    expect(items()[2]).toEqual([5]);
    calls[1]!.finish();
    calls[2]!.finish();
    expect(await results).toEqual([2, 4, 6, 8, 10]);
  });

  it('runs as many batches in parallel as its concurrency allows', async () => {
    const { batcher, calls, items } = controlled({ maxItems: 1, concurrency: 3 });
    const results = batcher.addMany([1, 2, 3, 4]);
    await nextTurn();
    expect(items()).toEqual([[1], [2], [3]]);
    calls[1]!.finish();
    await nextTurn();
    expect(items()).toEqual([[1], [2], [3], [4]]);
    for (const { finish } of calls) finish();
    expect(await results).toEqual([2, 4, 6, 8]);
  });

  it('waits for more items for the given time', async () => {
    jest.useFakeTimers();
    try {
      const { batcher, items } = controlled({ maxWaitMs: 5 });
      void batcher.add(1);
      await jest.advanceTimersByTimeAsync(4);
      void batcher.add(2);
      expect(items()).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(items()).toEqual([[1, 2]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('fails only the items of a failed batch', async () => {
    const { batcher, calls } = controlled({ maxItems: 2, concurrency: 2 });
    const results = Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
    calls[0]!.fail(new Error('no'));
    calls[1]!.finish();
    expect((await results).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      'failed',
      'failed',
      6,
      8,
    ]);
    const after = batcher.add(5);
    await nextTurn();
    calls[2]!.finish();
    expect(await after).toBe(10);
  });

  it.each([
    ['throws at once', () => void JSON.parse('{')],
    ['gives too few results', () => Promise.resolve([])],
  ])('fails the items of a batch that %s', async (_name, run) => {
    const batcher = new Batcher({ maxItems: 9, maxWaitMs: 0, concurrency: 1, run: run as () => Promise<number[]> });
    await expect(batcher.add(1)).rejects.toThrow(/JSON|1 items gave 0 results/);
  });

  it('drains without waiting for more items and resolves when nothing is left', async () => {
    const { batcher, calls, items } = controlled({ maxWaitMs: 60_000, maxItems: 2 });
    const results = Promise.allSettled([batcher.add(1), batcher.add(2), batcher.add(3)]);
    let drained = false;
    const draining = batcher.drain().then(() => (drained = true));
    expect(items()).toEqual([[1, 2]]);
    calls[0]!.fail(new Error('no'));
    await nextTurn();
    expect(items()).toEqual([[1, 2], [3]]);
    expect(drained).toBe(false);
    calls[1]!.finish();
    await draining;
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await batcher.drain();
  });

  it('runs a batch outside of the async context of its callers', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const batcher = new Batcher<number, number>({
      maxItems: 2,
      maxWaitMs: 0,
      concurrency: 1,
      run: (items) => {
        seen.push(context.getStore());
        return Promise.resolve(items);
      },
    });
    await context.run('a transaction', () => batcher.add(1));
    await context.run('a transaction', () => batcher.addMany([1, 2, 3]));
    expect(seen).toEqual([undefined, undefined, undefined]);
  });

  it('starts one more batch for what goes before everything that runs, and only for that', async () => {
    const { batcher, calls, items } = controlled({ maxItems: 3, concurrency: 2 });
    const all = [batcher.addMany([1, 2, 3, 4, 5, 6, 7, 8], 70)];
    await nextTurn();
    expect(items()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    all.push(batcher.addMany([20, 21], 64));
    await nextTurn();
    expect(items().slice(2)).toEqual([[20, 21]]);
    // Only one more; the next that go first wait for it, and not for the others.
    all.push(batcher.addMany([30], 40));
    await nextTurn();
    expect(calls).toHaveLength(3);
    calls[2]!.finish();
    await nextTurn();
    expect(items().slice(3)).toEqual([[30]]);
    calls[0]!.finish();
    await nextTurn();
    expect(calls).toHaveLength(4);
    calls[3]!.finish();
    await nextTurn();
    expect(items().slice(4)).toEqual([[7, 8]]);
    for (const { finish } of calls) finish();
    await Promise.all(all);
  });

  it('says of each batch whether it goes before all that run, also if there was room for it', async () => {
    const seen: [number, boolean][] = [];
    let finish = (): void => undefined;
    const batcher = new Batcher<number, void>({
      maxItems: 3,
      maxWaitMs: 0,
      concurrency: 2,
      run: async (items, overtakes) => {
        seen.push([items[0]!, overtakes]);
        if (items[0] === 1) await new Promise<void>((resolve) => (finish = resolve));
        return items.map(() => undefined);
      },
    });
    const first = batcher.add(1, 70);
    await nextTurn();
    await batcher.add(2, 64);
    await batcher.add(3, 70);
    finish();
    await first;
    expect(seen).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
  });
});
