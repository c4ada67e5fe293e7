import { readTimeRange } from './time-range';

describe('readTimeRange', () => {
  it.each([
    ['2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01T10:00:00-0130', '2026-03-01T11:30:00.000Z'],
    ['2026-03-01T10:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ])('reads the time %s as %s', (text, time) => {
    expect(readTimeRange({ after: text, before: text })).toEqual({ after: new Date(time), before: new Date(time) });
  });

  it('returns no bounds when no time is given', () => {
    expect(readTimeRange({ after: '' })).toEqual({});
  });

  it.each(['yesterday', '1', '1767225600000', '2026-02-30', '2026-13-01', '2026-W05', '10:00', '2026-03-01T25:00:00Z'])(
    'rejects the time "%s" and names the parameter',
    (text) => {
      expect(() => readTimeRange({ before: text })).toThrow('before must be a time in ISO 8601');
    },
  );

  it('rejects a time range that ends before it starts', () => {
    expect(() => readTimeRange({ after: '2026-03-02', before: '2026-03-01' })).toThrow(
      'after must not be later than before',
    );
  });
});
