import type { Json } from '@clarion/contracts';
import fc from 'fast-check';
import { Settings } from 'luxon';
import { isBetween, isoTime, isSame, listOf, numberOf, orderOf } from './comparing';

describe('isoTime', () => {
  beforeAll(() => (Settings.defaultZone = 'Asia/Tokyo'));
  afterAll(() => (Settings.defaultZone = 'system'));

  it.each([
    ['2026-03-29', Date.UTC(2026, 2, 29)],
    ['2026-03-29T10:15', Date.UTC(2026, 2, 29, 10, 15)],
    ['2026-03-29 10:15:30', Date.UTC(2026, 2, 29, 10, 15, 30)],
    ['2026-03-29T10:15:30.250Z', Date.UTC(2026, 2, 29, 10, 15, 30, 250)],
    ['2026-03-29T10:15:30+02:00', Date.UTC(2026, 2, 29, 8, 15, 30)],
    [' 2026-03-29T10:15:30-0530 ', Date.UTC(2026, 2, 29, 15, 45, 30)],
  ])('reads %s as a time', (text, time) => {
    expect(isoTime(text)).toBe(time);
  });

  it.each(['', '2026', '2026-02-30', '2026-13-01', '10:15', 'tomorrow', '2026-03-29T25:00', '20260329', 5, null, true])(
    'does not read %p as a date',
    (value) => {
      expect(isoTime(value)).toBeUndefined();
    },
  );

  it('reads no date in a long text, which the cache would keep', () => {
    const date = '2026-03-29T10:15:00.000Z';
    expect(isoTime(`  ${date}  `)).toBe(Date.parse(date));
    expect(isoTime(date + ' '.repeat(100))).toBeUndefined();
  });
});

describe('isSame', () => {
  it.each<[Json | undefined, Json | undefined]>([
    [1, 1],
    [1, '1'],
    [1.5, ' 1.50 '],
    [true, 'true'],
    [false, ' False '],
    [true, 1],
    [0, false],
    ['a', 'a'],
    [null, undefined],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T12:00:00+02:00', '2026-01-01T10:00:00Z'],
    ['2026-01-01', Date.UTC(2026, 0, 1)],
    [['a', 1], '["a", 1]'],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, '{"a":1}'],
  ])('treats %j and %j as equal in both orders', (left, right) => {
    expect([isSame(left, right), isSame(right, left)]).toEqual([true, true]);
  });

  it.each<[Json | undefined, Json | undefined]>([
    [1, 2],
    [1, 'x'],
    [0, ''],
    [0, null],
    ['', null],
    [false, null],
    [false, ''],
    [true, 'yes'],
    [true, 2],
    ['7', '007'],
    ['1', '1.0'],
    ['a', 'A'],
    ['2026-01-01', '2026-01-02'],
    [['a'], 'a'],
    [['a'], ['b']],
    [{ a: 1 }, 'a'],
  ])('does not treat %j and %j as equal', (left, right) => {
    expect([isSame(left, right), isSame(right, left)]).toEqual([false, false]);
  });

  it('compares a text with more levels than the stack reaches as a text', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect([isSame(['a'], deep), isSame(deep, {})]).toEqual([false, false]);
  });

  it('never throws and does not depend on the order of the values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(isSame(left as Json, right as Json)).toBe(isSame(right as Json, left as Json));
        expect(isSame(left as Json, left as Json)).toBe(true);
      }),
    );
  });
});

describe('orderOf', () => {
  it.each<[Json, Json]>([
    [1, 2],
    [9, '10'],
    ['9', '10'],
    ['a', 'b'],
    ['2026-01-01T12:00:00+03:00', '2026-01-01T10:00:00Z'],
    ['2026-01-01', Date.UTC(2026, 0, 2)],
    [false, true],
    ['false', true],
  ])('orders %j before %j', (left, right) => {
    expect([orderOf(left, right), orderOf(right, left), orderOf(left, left)]).toEqual([-1, 1, 0]);
  });

  it.each<[Json | undefined, Json | undefined]>([
    [1, 'x'],
    [1, null],
    [undefined, 1],
    [null, null],
    [[1], 2],
    [{}, {}],
    [true, 'x'],
  ])('finds no order between %j and %j', (left, right) => {
    expect([orderOf(left, right), orderOf(right, left)]).toEqual([undefined, undefined]);
  });

  it('orders numbers by value, also when they are written as text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), (left, right) => {
        const order = left < right ? -1 : left > right ? 1 : 0;
        expect(orderOf(left, right)).toBe(order);
        expect(orderOf(String(left), right)).toBe(order);
        expect(orderOf(String(left), String(right))).toBe(order);
      }),
    );
  });
});

describe('numberOf', () => {
  it.each(['', ' ', 'x', '1,5', 'Infinity', '9'.repeat(65), true, null, [1]])(
    'does not read %j as a number',
    (value) => {
      expect(numberOf(value)).toBeUndefined();
    },
  );
});

describe('isBetween', () => {
  it('includes both bounds and requires both', () => {
    expect([2, 3, 5, 7, 8].map((value) => isBetween(value, ['3', '7']))).toEqual([false, true, true, true, false]);
    expect(isBetween(5, ['x', '7'])).toBe(false);
    expect(isBetween(undefined, [1, 2])).toBe(false);
  });
});

describe('listOf', () => {
  it.each<[Json | undefined, Json[]]>([
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['["a", 1, null]', ['a', 1, null]],
    ['["a,b"]', ['a,b']],
    ['[a, b]', ['a', 'b']],
    ['[2026-01-01,2026-02-01]', ['2026-01-01', '2026-02-01']],
    ['[1', ['[1']],
    ['a,,b,', ['a', 'b']],
    ['', []],
    ['[]', []],
    [
      [1, 'x'],
      [1, 'x'],
    ],
    [5, [5]],
    [null, []],
    [undefined, []],
  ])('reads %j as the list %j', (value, list) => {
    expect(listOf(value)).toEqual(list);
  });
});
