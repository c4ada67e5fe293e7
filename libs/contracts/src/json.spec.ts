import { canonicalJson } from './json';

describe('canonicalJson', () => {
  it('is the same whatever the order of keys, and leaves out what is absent', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
    expect(canonicalJson([undefined, 1])).toBe('[null,1]');
  });

  it('tells apart what differs', () => {
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
