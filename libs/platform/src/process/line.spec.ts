import { type Lane, placeOf } from '@clarion/contracts/core';
import { Line } from './line';

describe('Line', () => {
  const filled = (...lanes: Lane[]): Line<number> => {
    const line = new Line<number>();
    for (const lane of lanes) line.add(lane, placeOf(lane));
    return line;
  };
  const many = (count: number, lane: Lane): Lane[] => Array.from({ length: count }, () => lane);

  it('takes by place, and in the order of arrival at one place', () => {
    const line = new Line<string>();
    for (const [item, place] of [
      ['c', 70],
      ['a', 40],
      ['d', 70],
      ['b', 41],
      ['e', 99],
    ] as const)
      line.add(item, place);
    expect([line.length, line.lengthUpTo(1), line.lengthUpTo(2)]).toEqual([5, 2, 4]);
    expect([line.take(), line.take(), line.takeMany(3)]).toEqual(['a', 'b', ['c', 'd']]);
    expect([line.take(), line.take(), line.takeMany(3), line.length]).toEqual(['e', undefined, [], 0]);
  });

  it('gives each lane a tenth while the critical lane never ends', () => {
    const line = filled(...many(50, 3), ...many(50, 2), ...many(200, 1));
    const taken = Array.from({ length: 100 }, () => line.take());
    expect(([1, 2, 3] as const).map((lane) => taken.filter((item) => item === lane).length)).toEqual([80, 10, 10]);
    expect(taken.slice(0, 10)).toEqual([1, 1, 1, 1, 2, 1, 1, 1, 1, 3]);
  });

  it('takes what came last in a lane at times, so that it is not overtaken forever', () => {
    const line = new Line<string>();
    line.add('late', placeOf(2, 9));
    for (let index = 0; index < 20; index += 1) line.add('early', placeOf(2));
    expect(Array.from({ length: 10 }, () => line.take())).toContain('late');
  });

  it('counts the rows of batches: a large one is the share of many small ones', () => {
    const line = filled(...many(300, 3), ...many(2_000, 1));
    const batches = Array.from({ length: 90 }, () => line.takeMany(line.first === placeOf(1) ? 20 : 100));
    const rows = (lane: Lane): number => batches.flat().filter((item) => item === lane).length;
    expect(rows(3) / rows(1)).toBeLessThan(0.15);
    expect(rows(3)).toBeGreaterThan(100);
  });
});
