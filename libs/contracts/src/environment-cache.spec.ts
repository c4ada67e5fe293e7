import { EnvironmentCache } from './environment-cache';

describe('EnvironmentCache', () => {
  it('drops the least recently used value of an environment that exceeds its quarter', () => {
    const cache = new EnvironmentCache<number>(400);
    for (const key of ['a', 'b']) cache.set('one', key, 1, 50);
    expect(cache.get('one', 'a')).toBe(1);
    cache.set('one', 'c', 1, 50);
    expect(['a', 'b', 'c'].map((key) => cache.get('one', key))).toEqual([1, undefined, 1]);
    expect(cache.size).toBe(100);
  });

  it('drops values of the least recently used environment when it is full', () => {
    const cache = new EnvironmentCache<number>(400);
    for (const environment of ['one', 'two', 'three', 'four']) cache.set(environment, 'a', 1, 100);
    expect(cache.get('one', 'a')).toBe(1);
    cache.set('five', 'a', 1, 100);
    expect(['one', 'two', 'three', 'four', 'five'].map((environment) => cache.get(environment, 'a'))).toEqual([
      1,
      undefined,
      1,
      1,
      1,
    ]);
    expect(cache.size).toBe(400);
  });

  it('drops the least recently used values of an organization whose environments exceed its half together', () => {
    const cache = new EnvironmentCache<number>(400, (environmentId) => environmentId[0]!);
    for (const environment of ['a1', 'a2', 'b1']) cache.set(environment, 'a', 1, 100);
    expect(cache.get('a1', 'a')).toBe(1);
    cache.set('a3', 'a', 1, 100);
    expect(['a1', 'a2', 'a3', 'b1'].map((environment) => cache.get(environment, 'a'))).toEqual([1, undefined, 1, 1]);
    expect(cache.size).toBe(300);
  });

  it('keeps no value that is larger than the share of an environment', () => {
    const cache = new EnvironmentCache<number>(400);
    cache.set('one', 'a', 1, 50);
    cache.set('one', 'a', 2, 101);
    expect(cache.get('one', 'a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('counts a replaced value once', () => {
    const cache = new EnvironmentCache<number>(400);
    cache.set('one', 'a', 1, 50);
    cache.set('one', 'a', 2, 60);
    expect(cache.get('one', 'a')).toBe(2);
    expect(cache.size).toBe(60);
  });
});
