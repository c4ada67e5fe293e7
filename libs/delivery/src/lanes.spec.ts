import { Lanes } from './lanes';

describe('Lanes', () => {
  it('lets so many in at a time, and the others in their order', async () => {
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

  it('keeps accounts apart', async () => {
    const lanes = new Lanes(1, 1);
    await lanes.enter('slow');
    void lanes.enter('slow');
    expect(lanes.isFull('slow')).toBe(true);
    expect(lanes.isFull('quick')).toBe(false);
    expect(await lanes.enter('quick')).toBeInstanceOf(Function);
  });

  it('is full while as many wait as it is deep', async () => {
    const lanes = new Lanes(1, 2);
    const leave = await lanes.enter('account');
    expect(lanes.isFull('account')).toBe(false);
    const waiting = [lanes.enter('account'), lanes.enter('account')];
    expect(lanes.isFull('account')).toBe(true);
    leave();
    const next = await waiting[0]!;
    expect(lanes.isFull('account')).toBe(false);
    next();
    (await waiting[1]!)();
    expect(await lanes.enter('account')).toBeInstanceOf(Function);
  });
});
