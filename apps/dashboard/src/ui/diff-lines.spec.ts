import { diffLines } from './diff-lines';

const shown = (before: string | undefined, after: string | undefined): string[] =>
  diffLines(before, after).map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-' })[kind] + text);

describe('diffLines', () => {
  it('shows what was removed and added between common lines', () => {
    expect(shown('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d']);
  });

  it('shows equal texts without a difference', () => {
    expect(shown('a\nb', 'a\nb')).toEqual([' a', ' b']);
  });

  it('has no line for an absent text, and one for an empty text', () => {
    expect(shown(undefined, 'a')).toEqual(['+a']);
    expect(shown('a', undefined)).toEqual(['-a']);
    expect(shown('', 'a')).toEqual(['-', '+a']);
  });

  it('compares very long texts as a whole', () => {
    const long = 'x\n'.repeat(2_000);
    expect(diffLines(long, `${long}y`).filter(({ kind }) => kind === 'same')).toEqual([]);
    expect(diffLines(long, long).every(({ kind }) => kind === 'same')).toBe(true);
  });
});
