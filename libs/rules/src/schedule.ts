import { CLOCK_TIME, type SubscriberSchedule, type TimeRange, WEEK_DAYS } from '@clarion/contracts/core';
import { DateTime, IANAZone } from 'luxon';

export type { SubscriberSchedule } from '@clarion/contracts';

/** From `start` to `end`, without `end`. */
type Opening = { start: DateTime; end: DateTime };

/** A week, and a second one for an opening that a clock change removes in the first. */
const DAYS_AHEAD = 14;

const DAY_MINUTES = 24 * 60;
/** The end of the day cannot be written in hours and minutes, so the last minute stands for it. */
const LAST_MINUTE = DAY_MINUTES - 1;

/** Without a time zone the schedule is read in UTC. */
export function isWithinSchedule(schedule: SubscriberSchedule, timezone: string | undefined, at: Date): boolean {
  if (!isRestricted(schedule)) return true;
  const now = localTime(timezone, at);
  // An opening of yesterday may last until today.
  return [now.minus({ days: 1 }), now].some((day) =>
    openingsOf(schedule, day).some(({ start, end }) => start <= now && now < end),
  );
}

/** The given time when the schedule is open then. Undefined when it never opens. */
export function nextOpening(schedule: SubscriberSchedule, timezone: string | undefined, at: Date): Date | undefined {
  if (isWithinSchedule(schedule, timezone, at)) return at;
  const now = localTime(timezone, at);
  for (let days = 0; days <= DAYS_AHEAD; days += 1) {
    const starts = openingsOf(schedule, now.plus({ days }))
      .filter(({ start, end }) => now < start && start < end)
      .map(({ start }) => start.toMillis());
    if (starts.length > 0) return new Date(Math.min(...starts));
  }
  return undefined;
}

const isRestricted = ({ isEnabled, weeklySchedule }: SubscriberSchedule): boolean =>
  isEnabled && weeklySchedule !== undefined;

/** Callers choose time zones, and old rows may name a zone that this machine does not know. */
function localTime(timezone: string | undefined, at: Date): DateTime {
  const zone = timezone !== undefined && IANAZone.isValidZone(timezone) ? timezone : 'utc';
  return DateTime.fromJSDate(at, { zone });
}

function openingsOf({ weeklySchedule }: SubscriberSchedule, day: DateTime): Opening[] {
  const { isEnabled = false, hours = [] } = weeklySchedule?.[WEEK_DAYS[day.weekday - 1]!] ?? {};
  return isEnabled ? hours.flatMap((range) => openingOf(range, day)) : [];
}

function openingOf({ start, end }: TimeRange, day: DateTime): Opening[] {
  const from = minutesOf(start);
  const to = minutesOf(end);
  if (from === undefined || to === undefined) return [];
  const until = to === LAST_MINUTE ? DAY_MINUTES : to;
  return [{ start: clockTime(day, from), end: clockTime(day, until > from ? until : until + DAY_MINUTES) }];
}

/**
 * Sets clock times, so that nine o'clock stays nine o'clock when the clocks change. A skipped time moves forward by
 * the skipped time, of a repeated time the first one counts. To get this, the calculation starts at noon of the day
 * before, because luxon prefers the offset that it starts from.
 */
function clockTime(day: DateTime, minutes: number): DateTime {
  const { year, month, day: date } = day.plus({ days: Math.floor(minutes / DAY_MINUTES) });
  const minuteOfDay = minutes % DAY_MINUTES;
  return day
    .minus({ days: 1 })
    .set({ hour: 12 })
    .set({
      year,
      month,
      day: date,
      hour: Math.floor(minuteOfDay / 60),
      minute: minuteOfDay % 60,
      second: 0,
      millisecond: 0,
    });
}

/** Minutes since midnight. Undefined when the text is not a time. */
function minutesOf(text: string): number | undefined {
  const [, hour, minute, half] = CLOCK_TIME.exec(text) ?? [];
  if (hour === undefined) return undefined;
  return ((Number(hour) % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(minute);
}
