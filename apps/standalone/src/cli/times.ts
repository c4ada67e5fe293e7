import { UsageError } from './command';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** What `readMoment` accepts, as the usage shows it. */
export const MOMENT = '<duration or time>';

const DAY = UNITS['d']!;

/** A duration before now (`90s`, `24h`, `2w`), the last `02:10`, or an ISO 8601 time; without a zone it is UTC. */
export function readMoment(option: string, text: string, now = Date.now()): Date {
  const duration = /^(\d+)([smhdw])$/.exec(text);
  const clock = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (clock) {
    const today = Math.floor(now / DAY) * DAY + Number(clock[1]) * UNITS['h']! + Number(clock[2]) * UNITS['m']!;
    return new Date(today <= now ? today : today - DAY);
  }
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const given = isIso ? Date.parse(/^[^T]*T[^Z+-]*$/.test(text) ? `${text}Z` : text) : Number.NaN;
  const time = duration ? now - Number(duration[1]) * UNITS[duration[2]!]! : given;
  // A time before 1970 is a mistake, and Postgres rejects those of a few thousand years ago.
  if (!(time >= 0)) {
    throw new UsageError(
      `--${option} must be a duration such as 15m, 24h or 7d, a time of the last 24 hours in UTC such as 02:10, or a ` +
        `time in ISO 8601 such as ${new Date(now).toISOString().slice(0, 16)}Z, not "${text}"`,
    );
  }
  return new Date(time);
}

/** The same for a time after now: a duration is counted from now on, and `02:10` is the next one. */
export function readFuture(option: string, text: string, now = Date.now()): Date {
  const moment = readMoment(option, text, now);
  if (/^\d\d:\d\d$/.test(text)) return new Date(moment.getTime() + DAY);
  return /^\d+[smhdw]$/.test(text) ? new Date(2 * now - moment.getTime()) : moment;
}

/** The largest two units: `2h 5m`. */
export function durationOf(seconds: number): string {
  const units = ['d', 'h', 'm', 's'];
  const found = units.findIndex((unit) => seconds * 1_000 >= UNITS[unit]!);
  const first = found === -1 ? units.length - 1 : found;
  let left = seconds * 1_000;
  return units
    .map((unit) => {
      const count = Math.floor(left / UNITS[unit]!);
      left -= count * UNITS[unit]!;
      return `${count}${unit}`;
    })
    .slice(first, first + 2)
    .join(' ');
}
