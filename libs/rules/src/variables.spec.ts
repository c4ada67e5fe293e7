import type { Json, JsonObject } from '@clarion/contracts';
import fc from 'fast-check';
import { namedValue, valueAt } from './variables';

describe('valueAt', () => {
  const root: JsonObject = { a: { b: [{ c: 1 }, [2, 3]], empty: null, '': 'nameless' }, 'x-y': 4, list: ['z'] };

  it.each<[string, Json]>([
    ['a.b.0.c', 1],
    ['a.b[0].c', 1],
    ['a.b[1][1]', 3],
    ['a.b.1.0', 2],
    ['a.empty', null],
    ['a.', 'nameless'],
    ['x-y', 4],
    ['list', ['z']],
    ['list.length', 1],
  ])('finds the value at %s', (path, value) => {
    expect(valueAt(root, path)).toEqual(value);
  });

  it.each(['b', 'a.c', 'a.b.2', 'a.b.-1', 'a.empty.x', 'x-y.z', 'list.0.length', '', '.', 'a..b', 'a.b[x]', 'a.b[0'])(
    'finds no value at %j',
    (path) => {
      expect(valueAt(root, path)).toBeUndefined();
    },
  );

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'list.map',
    'list.constructor',
    'a.__proto__.polluted',
    'a.hasOwnProperty',
  ])('does not find inherited properties: %s', (path) => {
    expect(valueAt(root, path)).toBeUndefined();
  });

  it('finds data under the names of inherited properties', () => {
    expect(valueAt(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as Json, '__proto__.a')).toBe(1);
    expect(valueAt({ constructor: 2 }, 'constructor')).toBe(2);
  });

  it.each([undefined, null, 5, 'text', true])('finds no value in %p', (value) => {
    expect(valueAt(value, 'length')).toBeUndefined();
  });

  it('finds every value of any data by its path', () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !/[.[]/.test(text));
    const data = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.string(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(data, (value) => {
        for (const [path, expected] of pathsOf(value, '')) expect(valueAt(value, path)).toBe(expected);
      }),
    );
  });
});

describe('namedValue', () => {
  const variables = {
    payload: { order: 1, payload: { order: 2, inner: 3 }, subscriber: 'mine', nothing: null },
    subscriber: { data: { plan: 'pro' } },
  };

  it.each<[string, Json | undefined]>([
    ['order', 1],
    ['payload.order', 1],
    ['payload.payload.order', 2],
    ['subscriber', 'mine'],
    ['subscriber.data.plan', 'pro'],
    ['nothing', null],
    ['plan', undefined],
    ['payload.plan', undefined],
  ])('finds %s as %j', (path, value) => {
    expect(namedValue(variables, path)).toEqual(value);
  });
});

function* pathsOf(value: Json, prefix: string): Iterable<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    yield [path, member];
    yield* pathsOf(member, path);
  }
}
