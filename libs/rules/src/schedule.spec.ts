import type { DaySchedule, WeekDay } from '@clarion/contracts';
import fc from 'fast-check';
import { isWithinSchedule, nextOpening, type SubscriberSchedule } from './schedule';

const BERLIN = 'Europe/Berlin';

const day = (...ranges: [start: string, end: string][]): DaySchedule => ({
  isEnabled: true,
  hours: ranges.map(([start, end]) => ({ start, end })),
});
const week = (weeklySchedule: Partial<Record<WeekDay, DaySchedule>>): SubscriberSchedule => ({
  isEnabled: true,
  weeklySchedule,
});
const office = day(['09:00 AM', '05:00 PM']);

describe('schedule of a subscriber', () => {
  const isOpen = (schedule: SubscriberSchedule, at: string, zone?: string) =>
    isWithinSchedule(schedule, zone, new Date(at));
  const opening = (schedule: SubscriberSchedule, at: string, zone?: string) =>
    nextOpening(schedule, zone, new Date(at))?.toISOString();

  // 2026-03-02 is a Monday.
  it.each([
    ['2026-03-02T08:59:59.999Z', false],
    ['2026-03-02T09:00:00.000Z', true],
    ['2026-03-02T16:59:59.999Z', true],
    ['2026-03-02T17:00:00.000Z', false],
    ['2026-03-03T10:00:00.000Z', false],
  ])('opens on Mondays from nine to five: at %s the result is %s', (at, expected) => {
    expect(isOpen(week({ monday: office }), at)).toBe(expected);
  });

  it.each<[string, SubscriberSchedule]>([
    ['is switched off', { ...week({ monday: { isEnabled: false } }), isEnabled: false }],
    ['has no week', { isEnabled: true }],
  ])('is always open when the schedule %s', (_, schedule) => {
    expect(isOpen(schedule, '2026-03-02T03:00:00Z')).toBe(true);
    expect(opening(schedule, '2026-03-02T03:00:00Z')).toBe('2026-03-02T03:00:00.000Z');
  });

  it.each<[string, SubscriberSchedule]>([
    ['names no day', week({})],
    ['has switched every day off', week({ monday: { ...office, isEnabled: false } })],
    ['has days without hours', week({ monday: { isEnabled: true }, tuesday: day() })],
    ['has hours that cannot be read', week({ monday: day(['9 o’clock', '05:00 PM'], ['09:00 AM', '25:00 PM']) })],
  ])('never opens when the schedule %s', (_, schedule) => {
    expect(isOpen(schedule, '2026-03-02T10:00:00Z')).toBe(false);
    expect(opening(schedule, '2026-03-02T10:00:00Z')).toBeUndefined();
  });

  it.each([
    ['12:00 AM', '2026-03-02T00:00:00.000Z'],
    ['12:30 AM', '2026-03-02T00:30:00.000Z'],
    ['1:05 AM', '2026-03-02T01:05:00.000Z'],
    ['12:00 PM', '2026-03-02T12:00:00.000Z'],
    ['11:58 PM', '2026-03-02T23:58:00.000Z'],
  ])('reads the start time %s as %s', (start, expected) => {
    expect(opening(week({ monday: day([start, '11:59 PM']) }), '2026-03-01T12:00:00Z')).toBe(expected);
  });

  it('stays open until the end of the day when a range ends in the last minute', () => {
    const allDay = day(['12:00 AM', '11:59 PM']);
    expect(isOpen(week({ monday: allDay }), '2026-03-02T23:59:59.999Z')).toBe(true);
    expect(isOpen(week({ monday: allDay }), '2026-03-03T00:00:00.000Z')).toBe(false);
  });

  it('stays open past midnight when a range ends before it starts', () => {
    const nights = week({ monday: day(['10:00 PM', '06:00 AM']), tuesday: { isEnabled: false } });
    expect(isOpen(nights, '2026-03-02T05:00:00Z')).toBe(false);
    expect(isOpen(nights, '2026-03-02T22:00:00Z')).toBe(true);
    expect(isOpen(nights, '2026-03-03T05:59:59Z')).toBe(true);
    expect(isOpen(nights, '2026-03-03T06:00:00Z')).toBe(false);
    expect(isOpen(nights, '2026-03-03T23:00:00Z')).toBe(false);
    expect(opening(nights, '2026-03-03T06:00:00Z')).toBe('2026-03-09T22:00:00.000Z');
    const aroundTheClock = week({ monday: day(['09:00 AM', '09:00 AM']) });
    expect(isOpen(aroundTheClock, '2026-03-03T08:59:59Z')).toBe(true);
  });

  it('accepts several ranges per day in any order', () => {
    const split = week({ monday: day(['02:00 PM', '06:00 PM'], ['08:00 AM', '12:00 PM']), friday: office });
    expect(isOpen(split, '2026-03-02T13:00:00Z')).toBe(false);
    expect(opening(split, '2026-03-02T07:00:00Z')).toBe('2026-03-02T08:00:00.000Z');
    expect(opening(split, '2026-03-02T13:00:00Z')).toBe('2026-03-02T14:00:00.000Z');
    expect(opening(split, '2026-03-02T18:00:00Z')).toBe('2026-03-06T09:00:00.000Z');
  });

  it('finds the same day of the next week as the next opening', () => {
    expect(opening(week({ monday: office }), '2026-03-02T17:00:00Z')).toBe('2026-03-09T09:00:00.000Z');
  });

  it('uses the time zone of the subscriber, and UTC without a known zone', () => {
    const schedule = week({ monday: office });
    expect(isOpen(schedule, '2026-03-02T08:00:00Z', BERLIN)).toBe(true);
    expect(isOpen(schedule, '2026-03-02T16:00:00Z', BERLIN)).toBe(false);
    expect(isOpen(schedule, '2026-03-01T20:00:00Z', 'Pacific/Auckland')).toBe(true);
    for (const unknown of [undefined, 'Moon/Base']) {
      expect(isOpen(schedule, '2026-03-02T08:00:00Z', unknown)).toBe(false);
      expect(isOpen(schedule, '2026-03-02T16:00:00Z', unknown)).toBe(true);
    }
  });

  describe('schedule at a clock change', () => {
    // Berlin: forward on Sunday 2026-03-29 from 02:00 to 03:00, back on Sunday 2026-10-25 from 03:00 to 02:00.
    it('opens at the same clock time before and after the change', () => {
      const schedule = week({ saturday: office, monday: office });
      expect(opening(schedule, '2026-03-28T00:00:00Z', BERLIN)).toBe('2026-03-28T08:00:00.000Z');
      expect(opening(schedule, '2026-03-28T20:00:00Z', BERLIN)).toBe('2026-03-30T07:00:00.000Z');
      expect(opening(schedule, '2026-10-24T20:00:00Z', BERLIN)).toBe('2026-10-26T08:00:00.000Z');
    });

    it('closes at the same clock time on the morning after the change', () => {
      const nights = week({ saturday: day(['10:00 PM', '06:00 AM']) });
      expect(isOpen(nights, '2026-03-29T03:59:59Z', BERLIN)).toBe(true);
      expect(isOpen(nights, '2026-03-29T04:00:00Z', BERLIN)).toBe(false);
      expect(isOpen(nights, '2026-10-25T04:59:59Z', BERLIN)).toBe(true);
      expect(isOpen(nights, '2026-10-25T05:00:00Z', BERLIN)).toBe(false);
    });

    it('moves a skipped start time forward by the skipped time', () => {
      const early = week({ sunday: day(['02:30 AM', '05:00 AM']) });
      expect(opening(early, '2026-03-28T20:00:00Z', BERLIN)).toBe('2026-03-29T01:30:00.000Z');
    });

    it('ignores an opening that the clock change removes', () => {
      const swallowed = week({ sunday: day(['02:30 AM', '03:15 AM']) });
      expect(isOpen(swallowed, '2026-03-29T01:10:00Z', BERLIN)).toBe(false);
      expect(opening(swallowed, '2026-03-28T20:00:00Z', BERLIN)).toBe('2026-04-05T00:30:00.000Z');
    });

    it.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
      'uses the first of two equal clock times when the current time is %s',
      (today) => {
        jest.useFakeTimers({ now: new Date(today) });
        try {
          const twice = week({ sunday: day(['02:15 AM', '02:45 AM']) });
          expect(opening(twice, '2026-10-24T20:00:00Z', BERLIN)).toBe('2026-10-25T00:15:00.000Z');
          expect(isOpen(twice, '2026-10-25T00:30:00Z', BERLIN)).toBe(true);
          expect(isOpen(twice, '2026-10-25T01:30:00Z', BERLIN)).toBe(false);
        } finally {
          jest.useRealTimers();
        }
      },
    );
  });

  it('is closed until its next opening and open at that time, for any schedule', () => {
    const time = fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 59 }), fc.constantFrom('AM', 'PM'))
      .map(([hour, minute, half]) => `${hour}:${String(minute).padStart(2, '0')} ${half}`);
    const anyDay = fc.record({
      isEnabled: fc.boolean(),
      hours: fc.array(fc.record({ start: time, end: time }), { maxLength: 3 }),
    });
    const anyWeek = fc.record({ monday: anyDay, saturday: anyDay, sunday: anyDay }, { requiredKeys: [] });
    // Two weeks around each change of the clocks.
    const anyTime = fc
      .tuple(fc.constantFrom('2026-03-22', '2026-10-18'), fc.integer({ min: 0, max: 14 * 24 * 60 }))
      .map(([from, minutes]) => new Date(Date.parse(from) + minutes * 60_000));
    const anyZone = fc.constantFrom(BERLIN, 'America/New_York', 'Australia/Lord_Howe', undefined);
    fc.assert(
      fc.property(anyWeek, anyTime, anyZone, fc.double({ min: 0, max: 1, noNaN: true }), (given, at, zone, share) => {
        const schedule = week(given);
        const next = nextOpening(schedule, zone, at);
        if (next) expect(isWithinSchedule(schedule, zone, next)).toBe(true);
        const wait = (next?.getTime() ?? at.getTime() + 7 * 24 * 3600 * 1000) - at.getTime();
        expect(isWithinSchedule(schedule, zone, new Date(at.getTime() + Math.floor(wait * share)))).toBe(
          wait === 0 || (next !== undefined && Math.floor(wait * share) === wait),
        );
      }),
      { numRuns: 500 },
    );
  });
});
