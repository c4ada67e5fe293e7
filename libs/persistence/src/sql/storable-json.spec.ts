import { storableJson } from './storable-json';

describe('storable JSON', () => {
  it.each([
    ['plain', { a: 'text', b: [1, null, true] }],
    ['escapes that Postgres stores', { a: 'line\nbreak "quoted" \u0001 \u001f' }],
    ['characters outside the basic plane', { a: 'smile 😀' }],
    ['a backslash before what looks like an escape', { a: '\\u0000 and \\ud800', b: '\\\\u0000' }],
  ])('leaves alone: %s', (_, value) => {
    expect(JSON.parse(storableJson(value))).toEqual(value);
  });

  it('replaces NUL and lone halves of pairs', () => {
    const value = { a: 'x\u0000y', b: '\ud83d', c: '\ude00!', d: 'back\\slash\u0000' };
    expect(JSON.parse(storableJson(value))).toEqual({
      a: 'x\ufffdy',
      b: '\ufffd',
      c: '\ufffd!',
      d: 'back\\slash\ufffd',
    });
  });
});
