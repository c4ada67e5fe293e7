import type { JsonObject } from '@clarion/contracts';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { nextByCron } from './calendar';
import {
  delayOf,
  digestWindowOf,
  type ThrottleTiming,
  throttleWindowOf,
  type Timing,
  type TimingInput,
} from './timing';

const NOW = new Date('2026-06-15T12:00:00Z'); // A Monday.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const input = (controls: JsonObject, more: Partial<TimingInput> & { payload?: JsonObject } = {}): TimingInput => ({
  controls,
  variables: { payload: more.payload ?? {}, subscriber: { data: { at: '2026-06-16T00:00:00Z' } } },
  now: NOW,
  ...more,
});

/** When the step goes on, as ISO text in UTC; else why not. */
function outcome(timing: Timing | ThrottleTiming | undefined): string {
  if (!timing) return 'none';
  return timing.ok ? timing.until.toISOString() : `${timing.reason}: ${timing.message}`;
}

const delayed = (controls: JsonObject, more?: Parameters<typeof input>[1]): string =>
  outcome(delayOf(input(controls, more)));

const AMOUNT = 'amount must be a number above 0 and unit one of: seconds, minutes, hours, days, weeks, months';

describe('regular delays', () => {
  it.each([
    ['seconds', 1000],
    ['minutes', MINUTE],
    ['hours', HOUR],
    ['days', DAY],
    ['weeks', 7 * DAY],
    ['months', 30 * DAY],
  ])('waits for three %s', (unit, ms) => {
    expect(delayOf(input({ type: 'regular', amount: 3, unit }))).toEqual({
      ok: true,
      delayMs: 3 * ms,
      until: new Date(NOW.getTime() + 3 * ms),
    });
  });

  it('accepts an amount from a template, and controls without a type', () => {
    expect(delayed({ amount: '90', unit: 'minutes' })).toBe('2026-06-15T13:30:00.000Z');
  });

  it.each<JsonObject>([
    {},
    { amount: 3 },
    { unit: 'hours' },
    { amount: 0, unit: 'hours' },
    { amount: -1, unit: 'hours' },
    { amount: 'x', unit: 'hours' },
    { amount: '', unit: 'hours' },
    { amount: 1, unit: 'hour' },
    { amount: 1, unit: 'constructor' },
  ])('rejects the controls %j', (controls) => {
    expect(delayed({ type: 'regular', ...controls })).toBe(`invalid: ${AMOUNT}`);
  });

  it('rejects a delay of more than 180 days', () => {
    expect(delayed({ amount: 6, unit: 'months' })).toBe('2026-12-12T12:00:00.000Z');
    expect(delayed({ amount: 180 * 24 * 60 + 1, unit: 'minutes' })).toBe('limit: amount is more than 180 days ahead');
    expect(delayed({ amount: 1e300, unit: 'months' })).toBe('limit: amount is more than 180 days ahead');
  });

  it('uses amount and unit of the trigger, also a single one of them', () => {
    const controls = { type: 'regular', amount: 3, unit: 'hours' };
    expect(delayed(controls, { overrides: { delay: { amount: 5, unit: 'minutes' } } })).toBe(
      '2026-06-15T12:05:00.000Z',
    );
    expect(delayed(controls, { overrides: { delay: { amount: 5 } } })).toBe('2026-06-15T17:00:00.000Z');
    expect(delayed(controls, { overrides: { delay: 'later' } })).toBe('2026-06-15T15:00:00.000Z');
    expect(delayed(controls, { overrides: { delay: { amount: -5 } } })).toMatch(
      /^invalid: overrides.delay.amount must be a number above 0 and overrides.delay.unit one of: /,
    );
  });
});

describe('other delays', () => {
  it.each([
    ['sendAt', { sendAt: '2026-06-15T13:00:00Z' }, '2026-06-15T13:00:00.000Z'],
    ['payload.sendAt', { sendAt: '2026-06-15T13:00:00Z' }, '2026-06-15T13:00:00.000Z'],
    [' order.lines[0].at ', { order: { lines: [{ at: '2026-06-16' }] } }, '2026-06-16T00:00:00.000Z'],
    ['sendAt', { sendAt: '2026-06-15T15:00:00+02:00' }, '2026-06-15T13:00:00.000Z'],
    ['subscriber.data.at', {}, '2026-06-16T00:00:00.000Z'],
    // A template that named the date.
    ['2026-06-17T00:00:00Z', {}, '2026-06-17T00:00:00.000Z'],
    ['sendAt', { sendAt: '2026-06-15T12:00:00Z' }, 'past: sendAt is in the past: 2026-06-15T12:00:00.000Z'],
    ['sendAt', { sendAt: '2020-01-01' }, 'past: sendAt is in the past: 2020-01-01T00:00:00.000Z'],
    ['sendAt', { sendAt: '2027-01-01' }, 'limit: sendAt is more than 180 days ahead'],
    ['sendAt', {}, 'invalid: delayPath: there is no "sendAt" in the payload'],
    ['constructor.name', {}, 'invalid: delayPath: there is no "constructor.name" in the payload'],
    ['sendAt', { sendAt: 'soon' }, 'invalid: delayPath: "sendAt" must be a date in ISO 8601'],
    ['sendAt', { sendAt: null }, 'invalid: delayPath: "sendAt" must be a date in ISO 8601'],
    ['sendAt', { sendAt: { amount: 1, unit: 'days' } }, 'invalid: delayPath: "sendAt" must be a date in ISO 8601'],
  ])('reads the date at %s of %j as %s', (delayPath, payload, expected) => {
    expect(delayed({ type: 'scheduled', delayPath }, { payload: payload as JsonObject })).toBe(expected);
  });

  it.each([
    [{ x: '2026-06-15T13:00:00Z' }, '2026-06-15T13:00:00.000Z'],
    [{ x: { amount: 2, unit: 'hours' } }, '2026-06-15T14:00:00.000Z'],
    [
      { x: { amount: 0, unit: 'hours' } },
      'invalid: payload.x.amount must be a number above 0 and payload.x.unit one of',
    ],
    [{ x: { unit: 'hours' } }, 'invalid: payload.x.amount must be a number above 0'],
    [{ x: { amount: 1, unit: 'aeons' } }, 'invalid: payload.x.amount must be a number above 0'],
    [{ x: { amount: 7, unit: 'months' } }, 'limit: payload.x.amount is more than 180 days ahead'],
    [{ x: '2020-01-01' }, 'past: payload.x is in the past: 2020-01-01T00:00:00.000Z'],
    [{ x: 5 }, 'invalid: dynamicKey: "payload.x" must be a date in ISO 8601 or {amount, unit}'],
    [{}, 'invalid: dynamicKey: there is no "payload.x" in the payload'],
  ])('reads the dynamic delay of %j as %s', (payload, expected) => {
    expect(delayed({ type: 'dynamic', dynamicKey: 'payload.x' }, { payload: payload as JsonObject })).toContain(
      expected,
    );
  });

  it('rejects scheduled and dynamic delays without their controls', () => {
    expect(delayed({ type: 'scheduled' })).toBe('invalid: delayPath is required');
    expect(delayed({ type: 'dynamic', dynamicKey: ' ' })).toBe('invalid: dynamicKey is required');
    expect(delayed({ type: 'timed' })).toBe('invalid: cron or timed is required');
    expect(delayed({ type: 'whenever' })).toBe(
      'invalid: type must be one of: regular, timed, scheduled, dynamic, until_read',
    );
    expect(delayed({ type: 5 })).toBe('invalid: type must be one of: regular, timed, scheduled, dynamic, until_read');
  });

  it('ignores overrides.delay for scheduled, dynamic and timed delays', () => {
    const overrides = { delay: { amount: 1, unit: 'minutes' } };
    expect(delayed({ type: 'timed', cron: '0 18 * * *' }, { overrides })).toBe('2026-06-15T18:00:00.000Z');
  });
});

describe('cron expressions', () => {
  it.each([
    ['*/5 * * * *', undefined, '2026-06-15T12:05:00.000Z'],
    ['0 12 * * *', undefined, '2026-06-16T12:00:00.000Z'],
    ['30 0 12 * * *', undefined, '2026-06-15T12:00:30.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-06-15T13:00:00.000Z'],
    ['0 9 * * 1', 'Asia/Tokyo', '2026-06-22T00:00:00.000Z'],
    ['0 9 * * *', 'Nowhere/Land', '2026-06-16T09:00:00.000Z'],
    [' 0 9 1 * * ', undefined, '2026-07-01T09:00:00.000Z'],
  ])('finds the next time of %s in %s: %s', (cron, timezone, expected) => {
    expect(delayed({ cron }, { timezone })).toBe(expected);
    expect(delayed({ type: 'timed', cron }, { timezone })).toBe(expected);
  });

  it.each(['', 'tomorrow', '* * * *', '* * * * * * *', '60 * * * *', '@daily', 'x'.repeat(300), '0 0 30 2 *'])(
    'rejects the cron expression %j',
    (cron) => {
      expect(delayed({ type: 'timed', cron })).toBe('invalid: cron must be a cron expression of five or six fields');
    },
  );

  it('finds no time after 180 days', () => {
    expect(delayed({ cron: '0 0 1 1 *' })).toBe('limit: cron is more than 180 days ahead');
    // A day that never comes.
    expect(delayed({ cron: '0 0 31 2,4 *' })).toBe('limit: cron is more than 180 days ahead');
    const newYear = Date.UTC(2027, 0, 1);
    expect(nextByCron('0 0 1 1 *', undefined, NOW, newYear)).toBe(newYear);
    expect(nextByCron('0 0 1 1 *', undefined, NOW, newYear - 1)).toBe(Infinity);
  });

  it('chooses the same minute each time for H', () => {
    expect(delayed({ cron: 'H H * * *' })).toBe(delayed({ cron: 'H H * * *' }));
  });

  it.each([
    // The night has no 02:30: it is moved on by what was skipped.
    ['2026-03-29T00:00:00Z', '30 2 * * *', '2026-03-29T01:30:00.000Z'],
    // The night has 02:30 twice: the first of them, and after that the next night.
    ['2026-10-24T23:00:00Z', '30 2 * * *', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T00:45:00Z', '30 2 * * *', '2026-10-26T01:30:00.000Z'],
    ['2026-03-28T12:00:00Z', '0 9 * * *', '2026-03-29T07:00:00.000Z'],
    ['2026-10-24T12:00:00Z', '0 9 * * *', '2026-10-25T08:00:00.000Z'],
  ])('handles the clock change in Berlin: after %s, %s is %s', (now, cron, expected) => {
    expect(delayed({ cron }, { timezone: 'Europe/Berlin', now: new Date(now) })).toBe(expected);
  });
});

describe('timed controls', () => {
  type Row = [timed: JsonObject, interval: JsonObject, expected: string, more?: Partial<TimingInput>];

  const rows: Row[] = [
    // Days.
    [{ atTime: '18:30' }, {}, '2026-06-15T18:30:00.000Z'],
    [{ atTime: '09:00' }, {}, '2026-06-16T09:00:00.000Z'],
    [{ atTime: '12:00' }, { amount: 1, unit: 'days' }, '2026-06-16T12:00:00.000Z'],
    [{ atTime: '9:05' }, { amount: 2, unit: 'days' }, '2026-06-17T09:05:00.000Z'],
    [{ atTime: '18:30' }, { amount: 2, unit: 'days' }, '2026-06-15T18:30:00.000Z'],
    [{}, { amount: 3, unit: 'days' }, '2026-06-18T12:00:00.000Z'],
    [{ atTime: '09:00' }, {}, '2026-06-15T13:00:00.000Z', { timezone: 'America/New_York' }],
    [{ atTime: '20:00' }, {}, '2026-06-16T11:00:00.000Z', { timezone: 'Asia/Tokyo' }],
    // Weeks, from Monday.
    [{ weekDays: ['monday'], atTime: '13:00' }, {}, '2026-06-15T13:00:00.000Z'],
    [{ weekDays: ['monday'], atTime: '11:00' }, {}, '2026-06-22T11:00:00.000Z'],
    [{ weekDays: ['friday', 'tuesday'], atTime: '11:00' }, { unit: 'weeks' }, '2026-06-16T11:00:00.000Z'],
    [{ weekDays: ['sunday'] }, { amount: 2, unit: 'weeks' }, '2026-06-21T12:00:00.000Z'],
    [{ weekDays: ['monday'] }, { amount: 2, unit: 'weeks' }, '2026-06-29T12:00:00.000Z'],
    [{}, { amount: 1, unit: 'weeks' }, '2026-06-22T12:00:00.000Z'],
    [{ weekDays: [] }, { unit: 'weeks' }, '2026-06-22T12:00:00.000Z'],
    // Days of the month.
    [{ monthDays: ['1', 20], atTime: '08:00' }, {}, '2026-06-20T08:00:00.000Z'],
    [{ monthDays: [10], atTime: '08:00' }, { amount: 1, unit: 'months' }, '2026-07-10T08:00:00.000Z'],
    [{ monthDays: [10], monthlyType: 'each' }, { amount: 3, unit: 'months' }, '2026-09-10T12:00:00.000Z'],
    [{ monthDays: [31] }, {}, '2026-07-31T12:00:00.000Z'],
    [{}, { unit: 'months' }, '2026-07-15T12:00:00.000Z'],
    // The first, second, last ... of a month.
    [{ monthlyType: 'on', ordinal: '1', ordinalValue: 'day' }, {}, '2026-07-01T12:00:00.000Z'],
    [{ monthlyType: 'on', ordinal: 'last', ordinalValue: 'day', atTime: '00:00' }, {}, '2026-06-30T00:00:00.000Z'],
    [{ ordinal: '3', ordinalValue: 'tuesday', atTime: '10:00' }, {}, '2026-06-16T10:00:00.000Z'],
    [{ ordinal: '3', ordinalValue: 'monday', atTime: '10:00' }, {}, '2026-07-20T10:00:00.000Z'],
    [{ ordinal: 'last', ordinalValue: 'friday' }, {}, '2026-06-26T12:00:00.000Z'],
    [{ ordinal: 'last', ordinalValue: 'weekday' }, { unit: 'months' }, '2026-06-30T12:00:00.000Z'],
    [{ ordinal: '1', ordinalValue: 'weekday' }, {}, '2026-07-01T12:00:00.000Z'],
    [{ ordinal: 'last', ordinalValue: 'weekend' }, {}, '2026-06-28T12:00:00.000Z'],
    [{ ordinal: 2, ordinalValue: 'weekend' }, {}, '2026-07-05T12:00:00.000Z'],
    // June has four Thursdays, July five.
    [{ ordinal: '5', ordinalValue: 'thursday' }, {}, '2026-07-30T12:00:00.000Z'],
    // Shorter than a day.
    [{}, { amount: 2, unit: 'hours' }, '2026-06-15T14:00:00.000Z'],
    [{ atTime: '09:00' }, { amount: 90, unit: 'seconds' }, '2026-06-15T12:01:30.000Z'],
  ];

  it.each(rows.map(([timed, interval, expected, more]) => ({ timed, interval, expected, more })))(
    'finds the next time of $timed every $interval: $expected',
    ({ timed, interval, expected, more }) => {
      const controls = { type: 'timed', ...interval, timed };
      expect(delayed(controls, more)).toBe(expected);
      expect(outcome(digestWindowOf(input(controls, more)))).toBe(expected);
    },
  );

  it.each<Row>([
    // Summer time begins on 29 March 2026 in Berlin at 02:00 and ends on 25 October at 03:00.
    [{ atTime: '09:00' }, {}, '2026-03-29T07:00:00.000Z', { now: new Date('2026-03-28T12:00:00Z') }],
    [{ atTime: '02:30' }, {}, '2026-03-29T01:30:00.000Z', { now: new Date('2026-03-28T12:00:00Z') }],
    [{ atTime: '02:30' }, {}, '2026-10-25T00:30:00.000Z', { now: new Date('2026-10-24T12:00:00Z') }],
    // Between the two of them: the next is tomorrow.
    [{ atTime: '02:30' }, {}, '2026-10-26T01:30:00.000Z', { now: new Date('2026-10-25T00:45:00Z') }],
    [
      { atTime: '00:00', weekDays: ['sunday'] },
      {},
      '2026-10-31T23:00:00.000Z',
      { now: new Date('2026-10-25T12:00:00Z') },
    ],
    // By the calendar, although the day has 25 hours.
    [{}, { amount: 1, unit: 'days' }, '2026-10-25T11:00:00.000Z', { now: new Date('2026-10-24T10:00:00Z') }],
  ])('handles the clock change: %j every %j is %s', (timed, interval, expected, more) => {
    expect(delayed({ ...interval, timed }, { timezone: 'Europe/Berlin', ...more })).toBe(expected);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ atTime: '25:00' }, {}, 'timed.atTime is not valid'],
    [{ atTime: 9 }, {}, 'timed.atTime is not valid'],
    [{ weekDays: ['someday'] }, {}, 'timed.weekDays is not valid'],
    [{ weekDays: 'monday' }, {}, 'timed.weekDays is not valid'],
    [{ monthDays: [0] }, {}, 'timed.monthDays is not valid'],
    [{ monthDays: ['x'] }, {}, 'timed.monthDays is not valid'],
    [{ ordinal: '6' }, {}, 'timed.ordinal is not valid'],
    [{ ordinalValue: 'holiday' }, {}, 'timed.ordinalValue is not valid'],
    [{ monthlyType: 'never' }, {}, 'timed.monthlyType is not valid'],
    [{}, { amount: 0 }, 'amount must be a whole number of at least 1'],
    [{}, { amount: 1.5 }, 'amount must be a whole number of at least 1'],
    [{}, { unit: 'fortnights' }, AMOUNT],
  ])('rejects %j every %j', (timed, interval, message) => {
    expect(delayed({ type: 'timed', ...interval, timed })).toBe(`invalid: ${message}`);
  });

  it.each<[JsonObject, JsonObject]>([
    [{}, { amount: 7, unit: 'months' }],
    [{ atTime: '09:00' }, { amount: 200, unit: 'days' }],
    [{}, { amount: 5000, unit: 'hours' }],
    [{}, { amount: 1e15, unit: 'days' }],
  ])('rejects %j every %j as too far ahead', (timed, interval) => {
    expect(delayed({ ...interval, timed })).toBe('limit: timed is more than 180 days ahead');
  });

  it('finds a time in the future at the given time of day', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    const times = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });
    const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, times, moments, fc.integer({ min: 1, max: 10 }), (timezone, { hour, minute }, now, amount) => {
        const atTime = `${hour}:${String(minute).padStart(2, '0')}`;
        const timing = delayOf(input({ amount, unit: 'days', timed: { atTime } }, { timezone, now }));
        if (!timing.ok) throw new Error(timing.message);
        const local = DateTime.fromJSDate(timing.until, { zone: timezone });
        const today = DateTime.fromJSDate(now, { zone: timezone }).startOf('day');
        expect(timing.until > now).toBe(true);
        expect([0, amount]).toContain(Math.round(local.startOf('day').diff(today, 'days').days));
        // A time that the day does not have is moved on by what was skipped.
        const [wanted, found] = [hour * 60 + minute, local.hour * 60 + local.minute];
        if (local.startOf('day').offset === local.endOf('day').offset) expect(found).toBe(wanted);
        else expect([0, 30, 60]).toContain(found - wanted);
      }),
      { numRuns: 300 },
    );
  });
});

describe('digest windows', () => {
  const window = { amount: 5, unit: 'minutes' };
  const until = new Date('2026-06-15T12:05:00Z');

  it('describes the window for the activity', () => {
    expect(digestWindowOf(input({ ...window, digestKey: 'order', updateMode: true, extendToSchedule: true }))).toEqual({
      ok: true,
      until,
      delayMs: 5 * MINUTE,
      digest: { type: 'regular', ...window, digestKey: 'order', updateMode: true },
    });
  });

  it('describes the window that the trigger overrides', () => {
    const overrides = { delay: { amount: 2, unit: 'hours' } };
    expect(digestWindowOf(input({ type: 'regular', ...window }, { overrides }))).toMatchObject({
      delayMs: 2 * HOUR,
      digest: { type: 'regular', amount: 2, unit: 'hours' },
    });
  });

  it.each<JsonObject>([
    { lookBackWindow: { amount: 3, unit: 'hours' } },
    { type: 'backoff', lookBackWindow: { amount: '3', unit: 'hours' } },
    { type: 'backoff', backoffAmount: 3, backoffUnit: 'hours' },
    { type: 'regular', backoff: true, backoffAmount: 3, backoffUnit: 'hours' },
    { type: 'regular', backoffAmount: 3, backoffUnit: 'hours' },
  ])('reads the look-back time of %j', (controls) => {
    expect(digestWindowOf(input({ ...window, ...controls }))).toEqual({
      ok: true,
      until,
      delayMs: 5 * MINUTE,
      lookBackMs: 3 * HOUR,
      digest: { type: 'backoff', ...window, backoff: true, backoffAmount: 3, backoffUnit: 'hours' },
    });
  });

  it('does not look back with backoff: false', () => {
    const timing = digestWindowOf(input({ ...window, backoff: false, backoffAmount: 3, backoffUnit: 'hours' }));
    expect(timing).toEqual({ ok: true, until, delayMs: 5 * MINUTE, digest: { type: 'regular', ...window } });
  });

  it.each<[JsonObject, string]>([
    [{ type: 'backoff' }, 'invalid: lookBackWindow or backoffAmount and backoffUnit are required'],
    [{ backoff: true }, 'invalid: lookBackWindow or backoffAmount and backoffUnit are required'],
    [{ backoffAmount: 3 }, 'invalid: backoffAmount and backoffUnit must be an amount of time'],
    [{ lookBackWindow: { amount: 0, unit: 'hours' } }, 'invalid: lookBackWindow must be an amount of time'],
    [{ lookBackWindow: 'long' }, 'invalid: lookBackWindow must be an amount of time'],
    [{ lookBackWindow: { amount: 7, unit: 'months' } }, 'limit: the look-back is longer than 180 days'],
    [{ amount: 0 }, `invalid: ${AMOUNT}`],
    [{ amount: 200, unit: 'days' }, 'limit: amount is more than 180 days ahead'],
    [{ type: 'scheduled', delayPath: 'x' }, 'invalid: type must be one of: regular, backoff, timed'],
  ])('rejects the controls %j: %s', (controls, expected) => {
    expect(outcome(digestWindowOf(input({ ...window, ...controls })))).toBe(expected);
  });

  it('describes the end of a timed window', () => {
    expect(digestWindowOf(input({ cron: '0 18 * * *', digestKey: 'order' }))).toEqual({
      ok: true,
      until: new Date('2026-06-15T18:00:00Z'),
      delayMs: 6 * HOUR,
      digest: {
        type: 'timed',
        digestKey: 'order',
        timed: { cronExpression: '0 18 * * *', untilDate: '2026-06-15T18:00:00.000Z' },
      },
    });
    const timed = { atTime: '18:00', monthDays: ['20', 5], monthlyType: 'each', weekDays: [], ordinal: null, other: 1 };
    expect(digestWindowOf(input({ type: 'timed', amount: 1, unit: 'months', timed }))).toMatchObject({
      digest: {
        type: 'timed',
        amount: 1,
        unit: 'months',
        timed: { atTime: '18:00', monthDays: [20, 5], monthlyType: 'each', untilDate: '2026-06-20T18:00:00.000Z' },
      },
    });
  });

  it('accepts a look-back time for a timed window', () => {
    const timing = digestWindowOf(input({ cron: '0 18 * * *', lookBackWindow: { amount: 1, unit: 'days' } }));
    expect(timing).toMatchObject({ lookBackMs: DAY, digest: { type: 'timed', backoff: true, backoffAmount: 1 } });
  });
});

describe('throttle windows', () => {
  const throttle = (controls: JsonObject, payload: JsonObject = {}) => throttleWindowOf(input(controls, { payload }));

  it('reads window and threshold', () => {
    expect(throttle({ type: 'fixed', amount: 2, unit: 'hours', threshold: 3 })).toEqual({
      ok: true,
      windowMs: 2 * HOUR,
      until: new Date('2026-06-15T14:00:00Z'),
      threshold: 3,
    });
    expect(throttle({ amount: 2, unit: 'hours' })).toMatchObject({ threshold: 1 });
    expect(throttle({ amount: 2, unit: 'hours', threshold: '4' })).toMatchObject({ threshold: 4 });
  });

  it('reads the window from the payload', () => {
    const controls = { type: 'dynamic', dynamicKey: 'payload.x', threshold: 2 };
    expect(throttle(controls, { x: '2026-06-15T12:30:00Z' })).toMatchObject({ windowMs: 30 * MINUTE, threshold: 2 });
    expect(throttle(controls, { x: { amount: 1, unit: 'days' } })).toMatchObject({ windowMs: DAY });
  });

  it.each<JsonObject>([{}, { threshold: 3 }, { type: 'dynamic' }, { type: 'fixed', amount: null }])(
    'has no window with the controls %j',
    (controls) => {
      expect(throttle(controls)).toBeUndefined();
    },
  );

  it.each<[JsonObject, JsonObject, string]>([
    [{ amount: 1 }, {}, `invalid: ${AMOUNT}`],
    [{ amount: 0, unit: 'hours' }, {}, `invalid: ${AMOUNT}`],
    [{ amount: 1, unit: 'hours', threshold: 0 }, {}, 'invalid: threshold must be a whole number of at least 1'],
    [{ amount: 1, unit: 'hours', threshold: 'x' }, {}, 'invalid: threshold must be a whole number of at least 1'],
    [{ amount: 200, unit: 'days' }, {}, 'limit: amount is more than 180 days ahead'],
    [{ type: 'sliding' }, {}, 'invalid: type must be one of: fixed, dynamic'],
    [{ type: 'dynamic', dynamicKey: 'x' }, {}, 'invalid: dynamicKey: there is no "x" in the payload'],
    [{ type: 'dynamic', dynamicKey: 'x' }, { x: '2020-01-01' }, 'past: x is in the past: 2020-01-01T00:00:00.000Z'],
  ])('rejects %j with %j: %s', (controls, payload, expected) => {
    expect(outcome(throttle(controls, payload))).toBe(expected);
  });

  it('ignores overrides.delay for throttle windows', () => {
    const timing = throttleWindowOf(input({ amount: 2, unit: 'hours' }, { overrides: { delay: { amount: 1 } } }));
    expect(timing).toMatchObject({ windowMs: 2 * HOUR });
  });
});
