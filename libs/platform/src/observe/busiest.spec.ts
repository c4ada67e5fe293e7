import { Busiest, OTHERS } from './busiest';

describe('Busiest', () => {
  it('gives each environment its own label until there are more than fit', () => {
    const busiest = new Busiest(2, () => undefined);
    expect(['a', 'b', 'a'].map((id) => busiest.label(id))).toEqual(['a', 'b', 'a']);
  });

  it('gives the busiest environments their own label, and ends the series of those that were', () => {
    let now = 0;
    const dropped: string[] = [];
    const busiest = new Busiest(
      2,
      (id) => dropped.push(id),
      () => now,
    );
    const does = (id: string, times: number) => Array.from({ length: times }, () => busiest.label(id)).at(-1);
    expect([does('a', 1), does('b', 5)]).toEqual(['a', 'b']);
    // The first ranking comes with the first environment that does not fit, the next one five minutes later.
    expect([does('c', 9), dropped]).toEqual([OTHERS, []]);
    now += 5 * 60_000;
    expect(does('c', 1)).toBe('c');
    expect([dropped, does('a', 1), does('b', 1)]).toEqual([['a'], OTHERS, 'b']);
  });
});
