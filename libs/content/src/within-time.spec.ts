import { OutOfTime, withinTime } from './within-time';

describe('withinTime', () => {
  it('gives the result, and errors as they are', () => {
    expect(withinTime(1_000, () => 42)).toBe(42);
    const fault = new TypeError('no');
    expect(() =>
      withinTime(1_000, () => {
        throw fault;
      }),
    ).toThrow(fault);
  });

  it.each<[string, () => unknown]>([
    [
      'a loop without end',
      () => {
        for (;;);
      },
    ],
    ['a pattern that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
    [
      'work that swallows errors',
      () => {
        for (;;) {
          try {
            for (;;);
          } catch {
            // Being stopped is not an error that work can catch.
          }
        }
      },
    ],
  ])('stops %s', (_, work) => {
    expect(() => withinTime(20, work)).toThrow(OutOfTime);
    expect(withinTime(1_000, () => 'and works again')).toBe('and works again');
  });

  it('can be used inside itself', () => {
    expect(withinTime(1_000, () => withinTime(1_000, () => 1) + 1)).toBe(2);
  });
});
