import { type Lane, placeOf } from '@clarion/contracts/core';
import { CallPermits } from './call-permits';

const NORMAL = { place: placeOf(2) };

describe('CallPermits', () => {
  it('limits the calls in flight and gives permits out in the order of the requests', async () => {
    const permits = new CallPermits(2, 10);
    const order: string[] = [];
    const enter = async (name: string) => {
      const leave = await permits.enter('account', NORMAL);
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

  it('gives permits out in the order of the places, and a share of ten to each of the later lanes', async () => {
    const permits = new CallPermits(1, 100);
    const order: number[] = [];
    const enter = async (lane: Lane) => {
      const leave = await permits.enter('account', { place: placeOf(lane) });
      order.push(lane);
      leave();
    };
    const leave = await permits.enter('account', NORMAL);
    const lanes = [3, 3, 3, 2, 2, 2, ...Array.from({ length: 20 }, () => 1)] as Lane[];
    const all = lanes.map(enter);
    leave();
    await Promise.all(all);
    const flood = [1, 1, 1, 1, 2, 1, 1, 1, 1, 3];
    expect(order).toEqual([...flood, ...flood, 1, 1, 1, 1, 2, 3]);
  });

  it('is full for a lane with what waits in it and before it, not with what waits behind it', async () => {
    const permits = new CallPermits(1, 1);
    for (let staged = 0; staged < 8; staged += 1) await permits.stage('account', { place: placeOf(3) });
    void permits.stage('account', { place: placeOf(2) });
    expect(([1, 2, 3] as const).map((lane) => permits.isFull('account', lane))).toEqual([false, true, true]);
    expect(([1, 2, 3] as const).map((lane) => permits.isFull('account', lane, { most: 9 }))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is full for an account that may have only so many deliveries', async () => {
    const permits = new CallPermits(4, 10);
    const leave = await permits.stage('account', NORMAL);
    await permits.stage('account', NORMAL);
    const isFull = (limits?: { most?: number; ahead?: number }) => permits.isFull('account', 2, limits);
    expect([isFull({ most: 2 }), isFull({ most: 3 }), isFull()]).toEqual([true, false, false]);
    expect(isFull({ most: 3, ahead: 1 })).toBe(true);
    leave();
    expect(isFull({ most: 2 })).toBe(false);
  });

  it('knows how long the newest of each lane has waited', async () => {
    let now = 0;
    const permits = new CallPermits(1, 10, () => now);
    const staged = await Promise.all(Array.from({ length: 8 }, () => permits.stage('account', NORMAL)));
    const waiting = permits.stage('account', NORMAL);
    now = 5_000;
    expect(permits.waitedMs('account', 2)).toBe(0);
    staged[0]!();
    await waiting;
    expect(([1, 2, 3] as const).map((lane) => permits.waitedMs('account', lane))).toEqual([0, 5_000, 0]);
    expect(permits.waitedMs('another', 2)).toBe(0);
  });

  it('does not let a slow account delay another account', async () => {
    const permits = new CallPermits(1, 1);
    await permits.enter('slow', NORMAL);
    expect(await permits.enter('quick', NORMAL)).toBeInstanceOf(Function);
  });

  it('stages eight deliveries per call and is full while the maximum waits to be staged', async () => {
    const permits = new CallPermits(1, 2);
    const staged = await Promise.all(Array.from({ length: 8 }, () => permits.stage('account', NORMAL)));
    expect(permits.isFull('account', 2)).toBe(false);
    const waiting = [permits.stage('account', NORMAL)];
    expect([0, 1].map((ahead) => permits.isFull('account', 2, { ahead }))).toEqual([false, true]);
    waiting.push(permits.stage('account', NORMAL));
    expect(permits.isFull('account', 2)).toBe(true);
    expect(permits.isFull('another', 2)).toBe(false);
    staged.pop()!();
    const next = await waiting[0]!;
    expect(permits.isFull('account', 2)).toBe(false);
    next();
    for (const leave of [...staged, await waiting[1]!]) leave();
    expect(await permits.stage('account', NORMAL)).toBeInstanceOf(Function);
  });
});
