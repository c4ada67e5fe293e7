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
    expect(await lanes.enter('quick')).toBeInstanceOf(Function);
  });

  it('has places before the door, and is full while as many as it is deep wait for one', async () => {
    const lanes = new Lanes(1, 2);
    const places = await Promise.all(Array.from({ length: 8 }, () => lanes.approach('account')));
    expect(lanes.isFull('account')).toBe(false);
    const waiting = [lanes.approach('account'), lanes.approach('account')];
    expect(lanes.isFull('account')).toBe(true);
    expect(lanes.isFull('another')).toBe(false);
    places.pop()!();
    const next = await waiting[0]!;
    expect(lanes.isFull('account')).toBe(false);
    next();
    for (const leave of [...places, await waiting[1]!]) leave();
    expect(await lanes.approach('account')).toBeInstanceOf(Function);
  });
});
