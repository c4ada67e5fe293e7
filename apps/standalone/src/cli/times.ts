import { UsageError } from './command';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** What `readMoment` accepts, as the usage shows it. */
export const MOMENT = '<duration or time>';

/** Reads a duration before now (`90s`, `15m`, `24h`, `7d`, `2w`) or a time in ISO 8601; without a zone it is UTC. */
export function readMoment(option: string, text: string, now = Date.now()): Date {
  const duration = /^(\d+)([smhdw])$/.exec(text);
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const given = isIso ? Date.parse(/T[^Z+-]*$/.test(text) ? `${text}Z` : text) : Number.NaN;
  const time = duration ? now - Number(duration[1]) * UNITS[duration[2]!]! : given;
  // A time before 1970 is a mistake, and Postgres rejects those of a few thousand years ago.
  if (!(time >= 0)) {
    throw new UsageError(`--${option} must be a duration such as 15m, 24h or 7d, or a time in ISO 8601, not "${text}"`);
  }
  return new Date(time);
}
