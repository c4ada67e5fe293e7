import { type Json, TIME_UNITS, type TimeUnit } from '@clarion/contracts/core';
import { numberOf } from './comparing';

const SECOND = 1000;
export const DAY_MS = 24 * 60 * 60 * SECOND;

const UNIT_MS: Record<TimeUnit, number> = {
  seconds: SECOND,
  minutes: 60 * SECOND,
  hours: 60 * 60 * SECOND,
  days: DAY_MS,
  weeks: 7 * DAY_MS,
  months: 30 * DAY_MS,
};

/** The length of an amount of a unit; a month has thirty days. Undefined when amount or unit are not valid. */
export function durationMs(amount: Json | undefined, unit: Json | undefined): number | undefined {
  const count = numberOf(amount);
  const known = TIME_UNITS.find((name) => name === unit);
  return count === undefined || count <= 0 || known === undefined ? undefined : Math.round(count * UNIT_MS[known]);
}
