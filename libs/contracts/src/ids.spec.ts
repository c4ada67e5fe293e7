import { idAtTime, isId, newId, timeOfId } from './ids';

describe('ids', () => {
  it('makes well-formed UUIDv7 ids that are ordered by time and contain it', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.every(isId)).toBe(true);
    expect(ids[0]![14]).toBe('7');
    expect(Math.abs(timeOfId(ids[0]!) - Date.now())).toBeLessThan(60_000);
  });

  it('makes distinct ids when the fetched random numbers are used up', () => {
    const ids = Array.from({ length: 5_000 }, newId);
    expect(new Set(ids).size).toBe(5_000);
    expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(4_990);
  });

  it('returns the smallest id of a time', () => {
    const at = Date.UTC(2026, 10, 15);
    expect(timeOfId(idAtTime(at))).toBe(at);
    expect(idAtTime(at) < idAtTime(at + 1)).toBe(true);
    expect(idAtTime(timeOfId(newId())) <= newId()).toBe(true);
  });

  it.each(['', 'x', '0190c0de-0000-7000-8000-00000000000', '0190c0de00007000800000000000000', 5, null])(
    'does not accept %p as an id',
    (value) => {
      expect(isId(value)).toBe(false);
    },
  );
});
