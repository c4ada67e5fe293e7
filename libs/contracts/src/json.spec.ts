import { canonicalJson, isSameJson, mapItems, mapMembers } from './json';
import { readJson } from './json-values';
import { LIMITS } from './limits';

describe('readJson', () => {
  it.each([
    ['other text', 'no JSON'],
    ['more values than a body may have', `[${'0,'.repeat(LIMITS.jsonValues)}0]`],
    ['more levels than a body may have', `${'['.repeat(LIMITS.jsonDepth + 1)}${']'.repeat(LIMITS.jsonDepth + 1)}`],
    ['more levels than the stack reaches', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ])('reads nothing from %s', (_, text) => {
    expect(readJson(text)).toBeUndefined();
  });

  it('reads as many values and levels as a body may have', () => {
    const deep = `${'['.repeat(LIMITS.jsonDepth)}${']'.repeat(LIMITS.jsonDepth)}`;
    expect(JSON.stringify(readJson(deep))).toBe(deep);
    expect(readJson(`[${'0,'.repeat(LIMITS.jsonValues - 2)}0]`)).toHaveLength(LIMITS.jsonValues - 1);
    expect(readJson('"text"')).toBe('text');
  });
});

describe('canonicalJson', () => {
  it('does not depend on the order of keys and leaves undefined members out', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
    expect(canonicalJson([undefined, 1])).toBe('[null,1]');
  });

  it('sorts nested keys once at any depth', () => {
    let reads = 0;
    const nest = (depth: number): object => {
      const inner = depth === 0 ? 1 : nest(depth - 1);
      return Object.defineProperty({ b: 0 }, 'a', { enumerable: true, get: () => ((reads += 1), inner) });
    };
    expect(canonicalJson(nest(30))).toContain('{"a":{"a":{"a":');
    expect(reads).toBeLessThan(200);
  });

  it('differs for different values', () => {
    const values = [
      1,
      '1',
      true,
      'true',
      null,
      [],
      {},
      [null],
      { a: null },
      ['a', 'b'],
      ['a,b'],
      { a: { b: 1 } },
      { 'a.b': 1 },
    ];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });
});

describe('isSameJson', () => {
  const values: unknown[] = [
    ...[undefined, null, 0, 1, '1', '', true, false, [], {}, [null], [undefined], [1, 2], [2, 1], { a: null }],
    ...[{ a: undefined }, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: { b: 1 } }, { a: { b: 1, c: undefined } }, { b: 1 }],
    ...[new Date(0), '1970-01-01T00:00:00.000Z', { toString: 1 }, { constructor: null }, [{ a: [1] }], [{ a: [2] }]],
  ];

  it('is true for exactly the values with the same canonical text', () => {
    const text = (value: unknown): string => canonicalJson(value === undefined ? null : value);
    for (const one of values) {
      for (const other of values) {
        expect([one, other, isSameJson(one, other)]).toEqual([one, other, text(one) === text(other)]);
      }
    }
  });
});

describe('mapMembers', () => {
  it('copies only what changes, also lists and a member named __proto__', () => {
    const value = { a: { b: 1 }, c: [1, 2], d: JSON.parse('{"__proto__":1}') as object };
    const double = (member: unknown): unknown =>
      Array.isArray(member) ? mapItems(member, double) : member === 1 ? 10 : mapObject(member);
    const mapObject = (member: unknown): unknown => (typeof member === 'object' ? mapMembers(member!, double) : member);
    expect(mapMembers(value, (member) => member)).toBe(value);
    const mapped = mapMembers(value, (member, key) => (key === 'a' ? member : double(member)));
    expect(JSON.stringify(mapped)).toBe('{"a":{"b":1},"c":[10,2],"d":{"__proto__":10}}');
    expect(mapped.a).toBe(value.a);
    expect(value.c).toEqual([1, 2]);
  });
});
