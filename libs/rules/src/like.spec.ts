import fc from 'fast-check';
import { isLike } from './like';
import { TooMuchWork } from './work';

describe('isLike', () => {
  it.each([
    ['gold', 'ol'],
    ['gold', ''],
    ['gold', 'gold'],
    ['gold', 'g%'],
    ['gold', '%d'],
    ['gold', '%ol%'],
    ['gold', '%'],
    ['', '%'],
    ['gold', 'g_ld'],
    ['gold', '____'],
    ['gold', 'g%%d'],
    ['abcabd', '%ab_'],
    ['a😀b', 'a_b'],
    ['100% sure', '100\\%'],
    ['100% sure', '100\\% %'],
    ['order_created', 'order\\_'],
    ['a\\b', 'a\\\\b'],
    ['a\\b', 'a\\b'],
    ['(.*)+$', '(.*)'],
  ])('matches %j with %j', (text, pattern) => {
    expect(isLike(text, pattern)).toBe(true);
  });

  it.each([
    ['gold', 'silver'],
    ['gold', 'Gold'],
    ['gold', 'o%'],
    ['gold', '%l'],
    ['gold', 'g_d'],
    ['gold', '_____'],
    ['', '_'],
    ['1000 sure', '100\\%'],
    ['orderXcreated', 'order\\_'],
    ['abc', 'a.c'],
  ])('does not match %j with %j', (text, pattern) => {
    expect(isLike(text, pattern)).toBe(false);
  });

  it('agrees with the equivalent regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    const pattern = fc
      .string({ unit: fc.constantFrom('a', 'b', '%', '_'), maxLength: 8 })
      .filter((p) => /[%_]/.test(p));
    fc.assert(
      fc.property(text, pattern, (value, like) => {
        const expression = new RegExp(`^${like.replaceAll('%', '.*').replaceAll('_', '.')}$`);
        expect(isLike(value, like)).toBe(expression.test(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('throws when a pattern takes too much work', () => {
    const text = 'a'.repeat(500_000);
    const long = `${'a'.repeat(2000)}b${'a'.repeat(2000)}`;
    for (const pattern of [`%${long}%`, long]) expect(() => isLike(text, pattern)).toThrow(TooMuchWork);
    expect(['%b%', 'ab'].map((pattern) => isLike(text, pattern))).toEqual([false, false]);
  });
});
