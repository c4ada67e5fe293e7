import { SharedCalls } from './shared-calls';

describe('SharedCalls', () => {
  const open = (limits = { size: 3, calls: 2 }) => {
    const made: { items: string[]; end(results?: string[]): void; fail(error: Error): void }[] = [];
    const shared = new SharedCalls<string, string>(
      limits,
      (items) =>
        new Promise((resolve, reject) =>
          made.push({ items, end: (results = items.map((item) => `${item}!`)) => resolve(results), fail: reject }),
        ),
    );
    return { made, shared };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('puts messages of one turn into one call, up to its size, and gives each message its result', async () => {
    const { made, shared } = open();
    const results = ['a', 'b', 'c', 'd'].map((item) => shared.add('', item));
    await turn();
    expect(made.map(({ items }) => items)).toEqual([['a', 'b', 'c'], ['d']]);
    for (const { end } of made) end();
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!', 'd!']);
  });

  it('does not mix groups in one call', async () => {
    const { made, shared } = open();
    void shared.add('one', 'a');
    void shared.add('two', 'b');
    void shared.add('one', 'c');
    await turn();
    expect(made.map(({ items }) => items)).toEqual([['a', 'c'], ['b']]);
  });

  it('limits the calls in flight, and collects messages meanwhile', async () => {
    const { made, shared } = open({ size: 3, calls: 1 });
    const first = shared.add('', 'a');
    await turn();
    const later = ['b', 'c', 'd', 'e'].map((item) => shared.add('', item));
    await turn();
    expect(made).toHaveLength(1);
    made[0]!.end();
    await first;
    await turn();
    expect(made.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']]);
    made[1]!.end();
    await later[0];
    await turn();
    expect(made[2]!.items).toEqual(['e']);
  });

  it('orders what waits by place, across groups, and fills a call with what comes after', async () => {
    const { made, shared } = open({ size: 3, calls: 1 });
    void shared.add('one', 'running', 64);
    await turn();
    for (const item of ['a', 'b', 'c', 'd']) void shared.add('one', item, 96);
    void shared.add('two', 'normal', 64);
    void shared.add('one', 'critical', 32);
    for (let call = 0; call < 4; call += 1) {
      await turn();
      made[call]!.end();
      await turn();
    }
    const order = made.map(({ items }) => items);
    expect(order).toEqual([['running'], ['critical', 'a', 'b'], ['normal'], ['c', 'd']]);
  });

  it('fails only the messages of the failed call, and makes the next call', async () => {
    const { made, shared } = open({ size: 1, calls: 1 });
    const [bad, good] = [shared.add('', 'a'), shared.add('', 'b')];
    await turn();
    made[0]!.fail(new Error('lost'));
    await expect(bad).rejects.toThrow('lost');
    await turn();
    made[1]!.end();
    expect(await good).toBe('b!');
  });
});
