import type { Json } from '@clarion/contracts/core';
import { writeWithin, type WrittenJson } from './json-size';

const LONG = 'x'.repeat(20_000);
const MANY = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key ${index}`, index]));

describe('writeWithin', () => {
  it.each<[string, unknown]>([
    ['a text', LONG],
    ['null', null],
    ['a list', [LONG, { a: [1, null, undefined] }]],
    ['an object with many members', { MANY }],
    ['members that are not there', { a: undefined, b: { c: undefined, d: LONG }, e: null, f: {} }],
    ['names that have to be escaped', { 'a "quoted" \n name': { '\ud800': LONG } }],
    ['objects that JSON writes as something else', { date: new Date(0), deep: { date: new Date(1), LONG } }],
    ['deep objects', { a: { b: { c: { d: { e: { f: { g: LONG } } } } } } }],
  ])('writes %s as JSON.stringify does, also the third time', (_, value) => {
    const written: WrittenJson = new Map();
    const expected = JSON.stringify(value);
    for (let time = 0; time < 3; time += 1) {
      expect(writeWithin(value as Json, expected.length, written)).toBe(expected);
      expect(writeWithin(value as Json, expected.length - 1, written)).toBeUndefined();
    }
  });

  it('refuses what is too long without reading the parts behind', () => {
    const value = { variables: { first: { a: LONG, b: LONG }, second: {} } };
    Object.defineProperty(value.variables.second, 'toJSON', {
      get: () => {
        throw new Error('read');
      },
    });
    expect(writeWithin(value, 30_000, new Map())).toBeUndefined();
    expect(() => writeWithin(value, 50_000, new Map())).toThrow('read');
    expect(writeWithin(value, -1, new Map())).toBeUndefined();
  });

  it('reads what many values have in common only a few times', () => {
    let reads = 0;
    const data = { ...MANY };
    Object.defineProperty(data, 'counted', { enumerable: true, get: () => ((reads += 1), 1) });
    const written: WrittenJson = new Map();
    for (let recipient = 0; recipient < 100; recipient += 1) {
      const value = { variables: { subscriber: { recipient, LONG }, tenant: { name: 'T', data }, payload: data } };
      expect(writeWithin(value, 1_000_000, written)).toBe(JSON.stringify(value));
    }
    // Each expected text reads it twice.
    expect(reads - 200).toBeLessThanOrEqual(2);
  });
});
