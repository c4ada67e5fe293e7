import { canonicalJson } from './json';

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
