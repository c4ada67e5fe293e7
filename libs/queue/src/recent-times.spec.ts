import { RecentTimes } from './recent-times';

describe('RecentTimes', () => {
  let now = 0;
  const add = (times: RecentTimes, at: number, ...readings: Parameters<RecentTimes['add']>) => {
    now = at;
    return times.add(...readings);
  };

  it('returns the earliest recent time of each lane, also when the last reading has none', () => {
    const times = new RecentTimes(5_000, () => now);
    expect(add(times, 0, { 2: new Date(1) })).toEqual({ 2: new Date(1) });
    expect(add(times, 4_000, { 2: new Date(2), 3: new Date(7) })).toEqual({ 2: new Date(1), 3: new Date(7) });
    expect(add(times, 4_999, {})).toEqual({ 2: new Date(1), 3: new Date(7) });
    expect(add(times, 5_000, {})).toEqual({ 2: new Date(2), 3: new Date(7) });
    expect(add(times, 9_000, {})).toEqual({});
  });

  it('takes the earlier of two times that were read together, and of one that was read later', () => {
    const times = new RecentTimes(5_000, () => now);
    expect(add(times, 0, { 2: new Date(7) }, { 2: new Date(5) })).toEqual({ 2: new Date(5) });
    expect(add(times, 1, { 2: new Date(8) }, { 2: new Date(3) })).toEqual({ 2: new Date(3) });
  });

  it('forgets what was read', () => {
    const times = new RecentTimes(5_000, () => now);
    add(times, 0, { 1: new Date(1) });
    times.clear();
    expect(add(times, 1, {})).toEqual({});
  });
});
