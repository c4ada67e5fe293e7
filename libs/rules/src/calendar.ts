import {
  type Json,
  type JsonObject,
  MONTHLY_TYPES,
  ORDINAL_VALUES,
  ORDINALS,
  type TimeUnit,
  WEEK_DAYS,
  type WeekDay,
} from '@clarion/contracts/core';
import { CronExpressionParser } from 'cron-parser';
import { DateTime, IANAZone } from 'luxon';
import { isAbsent, numberOf } from './comparing';
import { durationMs } from './durations';

/** The `timed` control, checked and in the form in which the activity shows it. */
export type Times = {
  atTime?: string;
  weekDays?: WeekDay[];
  monthDays?: number[];
  ordinal?: (typeof ORDINALS)[number];
  ordinalValue?: (typeof ORDINAL_VALUES)[number];
  monthlyType?: (typeof MONTHLY_TYPES)[number];
};

const AT_TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

const oneOf =
  <T extends string>(allowed: readonly T[]) =>
  (value: Json): T | undefined =>
    allowed.find((item) => item === String(value));

const eachOf =
  <T extends Json>(read: (value: Json) => T | undefined) =>
  (value: Json): T[] | undefined => {
    const items = Array.isArray(value) ? value.map(read) : [undefined];
    return items.every((item) => item !== undefined) ? items : undefined;
  };

const READERS: { [Name in keyof Times]-?: (value: Json) => Times[Name] } = {
  atTime: (value) => (typeof value === 'string' && AT_TIME.test(value) ? value : undefined),
  weekDays: eachOf(oneOf(WEEK_DAYS)),
  monthDays: eachOf((value) => {
    const day = numberOf(value);
    return day !== undefined && Number.isInteger(day) && day >= 1 && day <= 31 ? day : undefined;
  }),
  ordinal: oneOf(ORDINALS),
  ordinalValue: oneOf(ORDINAL_VALUES),
  monthlyType: oneOf(MONTHLY_TYPES),
};

/** Leaves out fields that are absent, null or empty lists. */
export function readTimes(given: JsonObject): Times | { fault: string } {
  const times: JsonObject = {};
  for (const [name, read] of Object.entries(READERS)) {
    const value = given[name];
    if (isAbsent(value) || (Array.isArray(value) && value.length === 0)) continue;
    const checked = read(value);
    if (checked === undefined) return { fault: `timed.${name} is not valid` };
    times[name] = checked;
  }
  return times;
}

/**
 * The first time after `now` that the config names, in milliseconds. Infinity when there is none before `horizon`.
 * Days, weeks (from Monday) and months are counted from the current one in steps of `amount`. A field that is not
 * given has its current value: the time of day, the day of the week or of the month. A month without the wanted day
 * is skipped.
 */
export function nextByTimes(
  times: Times,
  { amount, unit = unitOf(times) }: { amount: number; unit?: TimeUnit },
  timezone: string | undefined,
  now: Date,
  horizon: number,
): number {
  if (unit !== 'days' && unit !== 'weeks' && unit !== 'months') return now.getTime() + durationMs(amount, unit)!;
  const local = DateTime.fromJSDate(now, { zone: zoneOf(timezone) });
  const clock = clockOf(times.atTime) ?? local.toObject();
  const first = local.startOf(PERIODS[unit]);
  for (let ahead = 0; ; ahead += amount) {
    const period = first.plus({ [unit]: ahead });
    if (!(period.toMillis() <= horizon)) return Infinity;
    for (const day of daysOf(unit, period, times, local)) {
      // Luxon starts from the beginning of the day: it takes the first of two equal clock times and moves a skipped
      // clock time forward.
      const { hour, minute, second, millisecond } = clock;
      const candidate = day.set({ hour, minute, second, millisecond }).toMillis();
      if (candidate > now.getTime()) return candidate;
    }
  }
}

const PERIODS = { days: 'day', weeks: 'week', months: 'month' } as const;

/** The matching days of a period, in order, each at its start. */
function daysOf(unit: 'days' | 'weeks' | 'months', period: DateTime, times: Times, local: DateTime): DateTime[] {
  if (unit === 'days') return [period];
  if (unit === 'weeks') {
    const wanted = times.weekDays ?? [WEEK_DAYS[local.weekday - 1]!];
    return [0, 1, 2, 3, 4, 5, 6].filter((day) => wanted.includes(WEEK_DAYS[day]!)).map((days) => period.plus({ days }));
  }
  const days = Array.from({ length: period.daysInMonth! }, (_, index) => period.plus({ days: index }));
  const {
    monthlyType = times.monthDays || !times.ordinal ? 'each' : 'on',
    ordinal = '1',
    ordinalValue = 'day',
  } = times;
  if (monthlyType === 'each') return days.filter(({ day }) => (times.monthDays ?? [local.day]).includes(day));
  const matching = days.filter((day) => isOrdinalValue(day, ordinalValue));
  return matching.slice(ordinal === 'last' ? -1 : Number(ordinal) - 1).slice(0, 1);
}

function isOrdinalValue({ weekday }: DateTime, value: NonNullable<Times['ordinalValue']>): boolean {
  if (value === 'day') return true;
  if (value === 'weekday' || value === 'weekend') return weekday >= 6 === (value === 'weekend');
  return WEEK_DAYS[weekday - 1] === value;
}

function unitOf({ monthDays, monthlyType, ordinal, weekDays }: Times): TimeUnit {
  if (monthDays || monthlyType || ordinal) return 'months';
  return weekDays ? 'weeks' : 'days';
}

function clockOf(
  atTime: string | undefined,
): { hour: number; minute: number; second: number; millisecond: number } | undefined {
  const [, hour, minute, second = '0'] = AT_TIME.exec(atTime ?? '') ?? [];
  return hour === undefined
    ? undefined
    : { hour: Number(hour), minute: Number(minute), second: Number(second), millisecond: 0 };
}

const CRON_CHARACTERS = 256;
const CRON_FIELDS = [5, 6];

/** Undefined when the text is not a cron expression, Infinity when there is no time before `horizon`. */
export function nextByCron(
  expression: string,
  timezone: string | undefined,
  now: Date,
  horizon: number,
): number | undefined {
  const text = expression.trim();
  if (text.length > CRON_CHARACTERS || !CRON_FIELDS.includes(text.split(/\s+/).length)) return undefined;
  try {
    const cron = CronExpressionParser.parse(text, {
      currentDate: now,
      endDate: new Date(horizon),
      tz: zoneOf(timezone),
      // Makes `H`, "any value", the same value each time.
      hashSeed: text,
    });
    return cron.take(1)[0]?.getTime() ?? Infinity;
  } catch {
    return undefined;
  }
}

/** Callers choose time zones, and old rows may name a zone that this machine does not know. */
const zoneOf = (timezone: string | undefined): string =>
  timezone !== undefined && IANAZone.isValidZone(timezone) ? timezone : 'utc';
