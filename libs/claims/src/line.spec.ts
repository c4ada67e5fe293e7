import { type Lane, placeOf } from '@clarion/contracts/core';
import { WaitingLine } from './line';

describe('Line', () => {
  const filled = (...lanes: Lane[]): WaitingLine<number> => {
    const line = new WaitingLine<number>();
    for (const lane of lanes) line.add(lane, placeOf(lane));
    return line;
  };
  const many = (count: number, lane: Lane): Lane[] => Array.from({ length: count }, () => lane);

  it('takes by place, and in the order of arrival at one place', () => {
    const line = new WaitingLine<string>();
    for (const [item, place] of [
      ['c', 70],
      ['a', 40],
      ['d', 70],
      ['b', 41],
      ['e', 98],
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

  it('gives the share of a lane to its front too, and not only to the backlog at its end', () => {
    const line = new WaitingLine<string>();
    for (let index = 0; index < 500; index += 1) line.add('flood', placeOf(1));
    for (let index = 0; index < 500; index += 1) line.add('backlog', placeOf(2, 9));
    line.add('quiet', placeOf(2));
    expect(Array.from({ length: 20 }, () => line.take())).toEqual(expect.arrayContaining(['quiet', 'backlog']));
  });

  it('takes what came last in a lane at times, so that it is not overtaken forever', () => {
    const line = new WaitingLine<string>();
    line.add('late', placeOf(2, 9));
    for (let index = 0; index < 20; index += 1) line.add('early', placeOf(2));
    expect(Array.from({ length: 20 }, () => line.take())).toContain('late');
  });

  it('counts the rows of batches: a large one is the share of many small ones', () => {
    const line = filled(...many(300, 3), ...many(2_000, 1));
    const taken: number[] = [];
    while (taken.filter((item) => item === 1).length < 2_000) taken.push(...line.takeMany(20));
    const bulk = taken.filter((item) => item === 3).length;
    expect(bulk / taken.length).toBeGreaterThan(0.05);
    expect(bulk / taken.length).toBeLessThan(0.15);
  });
});
