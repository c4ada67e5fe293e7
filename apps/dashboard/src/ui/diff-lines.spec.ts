import { diffLines } from './diff-lines';

const shown = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-' })[kind] + text);

describe('diffLines', () => {
  it('shows what was removed and added between common lines', () => {
    expect(shown('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d']);
  });

  it('shows equal texts without a difference', () => {
    expect(shown('a\nb', 'a\nb')).toEqual([' a', ' b']);
  });

  it('compares very long texts as a whole', () => {
    const long = 'x\n'.repeat(2_000);
    expect(diffLines(long, `${long}y`).filter(({ kind }) => kind === 'same')).toEqual([]);
    expect(diffLines(long, long).every(({ kind }) => kind === 'same')).toBe(true);
  });
});
