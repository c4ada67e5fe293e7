import { Lanes } from './lanes';

describe('Lanes', () => {
  it('limits the calls in flight and gives permits out in the order of the requests', async () => {
    const lanes = new Lanes(2, 10);
    const order: string[] = [];
    const enter = async (name: string) => {
      const leave = await lanes.enter('account');
      order.push(name);
      return leave;
    };
    const first = await enter('first');
    const second = await enter('second');
    const third = enter('third');
    const fourth = enter('fourth');
    await Promise.resolve();
    expect(order).toEqual(['first', 'second']);
    second();
    await third;
    expect(order).toEqual(['first', 'second', 'third']);
    first();
    await fourth;
    expect(order).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('gives permits first to requests that go first, also in their order', async () => {
    const lanes = new Lanes(1, 10);
    const order: string[] = [];
    const enter = async (name: string, goesFirst = false) => {
      const leave = await lanes.enter('account', { goesFirst });
      order.push(name);
      leave();
    };
    const leave = await lanes.enter('account');
    const all = [enter('later'), enter('first', true), enter('second', true)];
    leave();
    await Promise.all(all);
    expect(order).toEqual(['first', 'second', 'later']);
  });

  it('gives permits to retries after the others, but one after four of them', async () => {
    const lanes = new Lanes(1, 10);
    const order: string[] = [];
    const enter = async (name: string, isRetry: boolean) => {
      const leave = await lanes.enter('account', { isRetry });
      order.push(name);
      leave();
    };
    const leave = await lanes.enter('account');
    const retries = ['r1', 'r2'].map((name) => enter(name, true));
    const others = ['1', '2', '3', '4', '5'].map((name) => enter(name, false));
    leave();
    await Promise.all([...retries, ...others]);
    expect(order).toEqual(['1', '2', '3', '4', 'r1', '5', 'r2']);
  });

  it('is full for an account that may have only so many deliveries', async () => {
    const lanes = new Lanes(4, 10);
    const leave = await lanes.stage('account');
    await lanes.stage('account');
    expect([lanes.isFull('account', 2), lanes.isFull('account', 3), lanes.isFull('account')]).toEqual([
      true,
      false,
      false,
    ]);
    leave();
    expect(lanes.isFull('account', 2)).toBe(false);
  });

  it('does not let a slow account delay another account', async () => {
    const lanes = new Lanes(1, 1);
    await lanes.enter('slow');
    expect(await lanes.enter('quick')).toBeInstanceOf(Function);
  });

  it('stages eight deliveries per call and is full while the maximum waits to be staged', async () => {
    const lanes = new Lanes(1, 2);
    const staged = await Promise.all(Array.from({ length: 8 }, () => lanes.stage('account')));
    expect(lanes.isFull('account')).toBe(false);
    const waiting = [lanes.stage('account'), lanes.stage('account')];
    expect(lanes.isFull('account')).toBe(true);
    expect(lanes.isFull('another')).toBe(false);
    staged.pop()!();
    const next = await waiting[0]!;
    expect(lanes.isFull('account')).toBe(false);
    next();
    for (const leave of [...staged, await waiting[1]!]) leave();
    expect(await lanes.stage('account')).toBeInstanceOf(Function);
  });
});
