import { groupBy, partition, pick } from './collections';

describe('groupBy', () => {
  it('collects the items of each key in their given order', () => {
    const groups = groupBy(['beta', 'alpha', 'bravo'], (word) => word[0]!);

    expect([...groups]).toEqual([
      ['b', ['beta', 'bravo']],
      ['a', ['alpha']],
    ]);
  });

  it('returns an empty map for an empty list', () => {
    expect(groupBy([], String).size).toBe(0);
  });
});

describe('partition', () => {
  it('separates the items that belong from the others and keeps their order', () => {
    const [even, odd] = partition([1, 2, 3, 4], (number) => number % 2 === 0);

    expect(even).toEqual([2, 4]);
    expect(odd).toEqual([1, 3]);
  });

  it('narrows the type of both lists by a type guard', () => {
    const [texts, numbers] = partition(['a', 1], (item): item is string => typeof item === 'string');

    expect(texts.map((text) => text.toUpperCase())).toEqual(['A']);
    expect(numbers.map((number) => number + 1)).toEqual([2]);
  });
});

it('picks fields in the given order, also those without a value', () => {
  const from: { one: number; two?: string; three: boolean } = { one: 1, three: true };
  expect(JSON.stringify(pick(from, 'three', 'one'))).toBe('{"three":true,"one":1}');
  expect(Object.keys(pick(from, 'two'))).toEqual(['two']);
});
