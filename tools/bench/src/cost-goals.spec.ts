import { goalTable, judge, middle } from './cost-goals';

describe('judge', () => {
  it.each([
    [{ before: 10, after: 6 }, 'reached'],
    [{ before: 10, after: 6.1 }, 'MISSED'],
    [{ after: 6 }, 'not compared'],
    [{ before: 10 }, 'not measured'],
  ])('compares %j with a ratio of 0.6 and answers "%s"', (pair, verdict) => {
    expect(judge({ limit: { ratio: 0.6 } }, pair)).toBe(verdict);
  });

  it('compares figures with an upper and a lower limit without a base', () => {
    expect([3, 3.1].map((after) => judge({ limit: { most: 3 } }, { after }))).toEqual(['reached', 'MISSED']);
    expect([3, 2.9].map((after) => judge({ limit: { least: 3 } }, { after }))).toEqual(['reached', 'MISSED']);
  });
});

describe('goalTable', () => {
  it('shows before, after, ratio, goal and verdict of each figure', () => {
    const { lines, verdicts } = goalTable({
      inAppProcessor: { before: 0.00057, after: 0.00027 },
      emailLog: { before: 7680, after: 4300 },
      inAppToNaive: { after: 9.5 },
    });
    const cells = lines.map((line) => line.split(/ {2,}/));
    expect(cells[0]).toEqual(['for one notification', 'before', 'after', 'ratio', 'goal']);
    expect(cells).toContainEqual([
      'in-app in bulk, processor',
      '0.570 ms',
      '0.270 ms',
      '0.47 x',
      '<= 0.50 x of before',
      'reached',
    ]);
    expect(cells).toContainEqual(['write-ahead log, email', '7.5 KiB', '4.2 KiB', '0.56 x', '<= 4.0 KiB', 'MISSED']);
    expect(cells).toContainEqual(['in-app to naive', '-', '9.50 x', '-', '>= 9.00 x', 'reached']);
    expect(cells).toContainEqual(['stored, email', '-', '-', '-', '<= 2.5 KiB', 'not measured']);
    expect(verdicts).toHaveLength(lines.length - 1);
    expect(verdicts.filter((verdict) => verdict === 'reached')).toHaveLength(2);
  });

  it('aligns numbers to the right', () => {
    const { lines } = goalTable({ loneProcessor: { before: 0.0063, after: 0.00265 } });
    const ends = lines.map((line) => /^(?:\S| (?! ))* {2,}\S+( ms)?(?= {2})/.exec(line)![0].length);
    expect(new Set(ends).size).toBe(1);
  });
});

describe('middle', () => {
  it('returns the median, and the mean of two in the middle', () => {
    expect([middle([5]), middle([3, 1]), middle([9, 1, 2]), middle([1, 2, 4, 100])]).toEqual([5, 2, 2, 3]);
  });
});
