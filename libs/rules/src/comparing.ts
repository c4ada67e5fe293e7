import { canonicalJson, type Json, readJson } from '@clarion/contracts/core';
import { DateTime } from 'luxon';

/** Authors write text into conditions, so text is converted to the type of the other value. */

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const LONGEST_NUMBER = 64;
/** With blanks around it. A part of a longer text would keep all of it in memory for as long as it is cached. */
const LONGEST_DATE = 64;

/** Cache of parsed dates: parsing takes a hundred times as long as a lookup. */
const times = new Map<string, number>();
const TIMES = 32_768;

/** Milliseconds of an ISO 8601 date; UTC when it has no offset. */
export function isoTime(value: Json | undefined): number | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_DATE) return undefined;
  const text = value.trim();
  if (!ISO_DATE.test(text)) return undefined;
  let time = times.get(text);
  if (time === undefined) {
    time = DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' }).toMillis();
    if (times.size === TIMES) times.clear();
    times.set(text, time);
  }
  return Number.isNaN(time) ? undefined : time;
}

/** The value as a number, if it is a number or a numeric text. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Two texts are equal only as texts or as dates: `007` is not `7`. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (isAbsent(left) || isAbsent(right)) return isAbsent(left) && isAbsent(right);
  if (left === right) return true;
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    const [a, b] = [booleanOf(left), booleanOf(right)];
    return a !== undefined && a === b;
  }
  if (typeof left === 'object' || typeof right === 'object') return canonicalOf(left) === canonicalOf(right);
  if (typeof left !== typeof right && numberOf(left) === numberOf(right)) return true;
  const time = timeOf(left);
  return time !== undefined && time === timeOf(right);
}

/** Negative, zero or positive as `left` comes before, with or after `right`. Undefined when they have no order. */
export function orderOf(left: Json | undefined, right: Json | undefined): number | undefined {
  for (const read of [numberOf, timeOf, rankOf, textOf]) {
    const [a, b] = [read(left), read(right)];
    if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0;
  }
  return undefined;
}

/** Both bounds are included. */
export function isBetween(value: Json | undefined, [low, high]: readonly [Json, Json]): boolean {
  const [fromLow, fromHigh] = [orderOf(value, low), orderOf(value, high)];
  return fromLow !== undefined && fromHigh !== undefined && fromLow >= 0 && fromHigh <= 0;
}

/** Reads a list, a JSON array as text, or texts that are separated by commas, with or without brackets. */
export function listOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return isAbsent(value) ? [] : [value];
  const text = value.trim();
  const bracketed = text.startsWith('[') && text.endsWith(']');
  if (bracketed) {
    const parsed = readJson(text);
    if (Array.isArray(parsed)) return parsed;
  }
  return (bracketed ? text.slice(1, -1) : text)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Reads two bounds in any of the forms of a list. */
export function boundsOf(value: Json | undefined): [Json, Json] | undefined {
  const [low, high, ...more] = listOf(value);
  return low === undefined || high === undefined || more.length > 0 ? undefined : [low, high];
}

export const isAbsent = (value: Json | undefined): value is null | undefined => value === undefined || value === null;

/** Reads a time: a date as text, or milliseconds. */
export const timeOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : isoTime(value);

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** False comes before true. */
function rankOf(value: Json | undefined): number | undefined {
  const flag = booleanOf(value);
  return flag === undefined ? undefined : Number(flag);
}

function booleanOf(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === 'true' || text === 1) return true;
  return text === 'false' || text === 0 ? false : undefined;
}

/** Lists and objects are compared as a whole; the other side may be their JSON text. */
function canonicalOf(value: Json): string {
  return canonicalJson(typeof value === 'string' ? (readJson(value) ?? value) : value);
}
