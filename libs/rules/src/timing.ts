import {
  awaitedStepOf,
  DELAY_TYPES,
  DIGEST_TYPES,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  THROTTLE_TYPES,
  TIME_UNITS,
  type TimeUnit,
} from '@clarion/contracts/core';
import { nextByCron, nextByTimes, readTimes } from './calendar';
import { isAbsent, isoTime, numberOf } from './comparing';
import { DAY_MS, durationMs } from './durations';
import { namedValue, type Variables } from './variables';

/** Amounts of time are milliseconds. Times of day and days are in the subscriber's time zone. */
export type TimingInput = {
  controls: JsonObject;
  variables: Variables;
  /** The overrides of the trigger; `delay` replaces the amount and unit of regular delays and digests. */
  overrides?: JsonObject;
  timezone?: string;
  now: Date;
};

export type TimingFault = { ok: false; reason: 'invalid' | 'past' | 'limit'; message: string };
export type Timing = { ok: true; until: Date; delayMs: number } | TimingFault;
export type DigestTiming =
  | {
      ok: true;
      until: Date;
      delayMs: number;
      /** Set when the digest waits only if there was another event within this time before. */
      lookBackMs?: number;
      digest: JsonObject;
    }
  | TimingFault;
export type ThrottleTiming = { ok: true; windowMs: number; until: Date; threshold: number } | TimingFault;

const LONGEST_WAIT_MS = LIMITS.waitDays * DAY_MS;

/** Whether an amount of time is longer than the engine waits. False for what is no amount of time. */
export const exceedsLongestWait = (amount: Json | undefined, unit: Json | undefined): boolean =>
  (durationMs(amount, unit) ?? 0) > LONGEST_WAIT_MS;

export function delayOf(input: TimingInput): Timing {
  switch (kindOf(input.controls)) {
    case 'regular':
      return afterRegular(input);
    case 'timed':
      return atNextTime(input);
    case 'scheduled':
      return atNamed(input, 'delayPath');
    case 'dynamic':
      return atNamed(input, 'dynamicKey');
    case 'until_read':
      return atMost(input);
    default:
      return wrongType(DELAY_TYPES);
  }
}

export function digestWindowOf(input: TimingInput): DigestTiming {
  const { controls } = input;
  const kind = DIGEST_TYPES.find((type) => type === kindOf(controls));
  if (kind === undefined) return wrongType(DIGEST_TYPES);
  const timing = kind === 'timed' ? atNextTime(input) : afterRegular(input);
  if (!timing.ok) return timing;
  const lookBack = lookBackOf(controls, kind === 'backoff');
  if (lookBack && 'ok' in lookBack) return lookBack;
  const { amount, unit } = kind === 'timed' ? controls : regularAmount(input);
  const digest: Record<string, Json | undefined> = {
    type: kind === 'regular' && lookBack ? 'backoff' : kind,
    amount: numberOf(amount),
    unit: unitOf(unit),
    digestKey: typeof controls['digestKey'] === 'string' ? controls['digestKey'] : undefined,
    backoff: lookBack && true,
    backoffAmount: lookBack?.amount,
    backoffUnit: lookBack?.unit,
    updateMode: typeof controls['updateMode'] === 'boolean' ? controls['updateMode'] : undefined,
    timed: kind === 'timed' ? { ...shownTimes(controls), untilDate: timing.until.toISOString() } : undefined,
  };
  return {
    ...timing,
    ...(lookBack && { lookBackMs: lookBack.ms }),
    digest: Object.fromEntries(Object.entries(digest).filter(([, value]) => value !== undefined)) as JsonObject,
  };
}

/** Undefined when no window is configured: the step lets everything through. */
export function throttleWindowOf(input: TimingInput): ThrottleTiming | undefined {
  const { controls, now } = input;
  const kind = THROTTLE_TYPES.find((type) => type === (controls['type'] ?? 'fixed'));
  if (kind === undefined) return wrongType(THROTTLE_TYPES);
  const needs = kind === 'fixed' ? ['amount', 'unit'] : ['dynamicKey'];
  if (needs.every((name) => isAbsent(controls[name]))) return undefined;
  const threshold = numberOf(controls['threshold'] ?? 1);
  if (threshold === undefined || !Number.isInteger(threshold) || threshold < 1) {
    return invalid('threshold must be a whole number of at least 1');
  }
  const timing = kind === 'fixed' ? after(now, controls, '') : atNamed(input, 'dynamicKey');
  return timing.ok ? { ok: true, windowMs: timing.delayMs, until: timing.until, threshold } : timing;
}

/** The `type` control, or the kind that the other controls imply. */
function kindOf(controls: JsonObject): Json {
  return controls['type'] ?? (isAbsent(controls['cron']) && isAbsent(controls['timed']) ? 'regular' : 'timed');
}

// ------------------------------------------------------------------------------------------------- kinds of waiting

function afterRegular(input: TimingInput): Timing {
  const { amount, unit, overridden } = regularAmount(input);
  return after(input.now, { amount, unit }, overridden ? 'overrides.delay.' : '');
}

type RegularAmount = { amount?: Json; unit?: Json; overridden: boolean };

function regularAmount({ controls, overrides }: TimingInput): RegularAmount {
  const delay = overrides && Object.hasOwn(overrides, 'delay') ? overrides['delay'] : undefined;
  const { amount, unit } = isJsonObject(delay) ? delay : {};
  return {
    amount: amount ?? controls['amount'],
    unit: unit ?? controls['unit'],
    overridden: !isAbsent(amount) || !isAbsent(unit),
  };
}

/** The time at which a delay ends that waits for an earlier step. */
function atMost({ controls, now }: TimingInput): Timing {
  return awaitedStepOf(controls)?.trim() ? after(now, controls, '') : invalid('step is required');
}

function after(now: Date, { amount, unit }: { amount?: Json; unit?: Json }, prefix: string): Timing {
  const ms = durationMs(amount, unit);
  if (ms === undefined) return wrongAmount(prefix);
  return waitUntil(now, now.getTime() + ms, `${prefix}amount`);
}

function atNextTime({ controls, timezone, now }: TimingInput): Timing {
  const { cron, timed } = controls;
  const horizon = now.getTime() + LONGEST_WAIT_MS;
  if (typeof cron === 'string') {
    const at = nextByCron(cron, timezone, now, horizon);
    return at === undefined
      ? invalid('cron must be a cron expression of five or six fields')
      : waitUntil(now, at, 'cron');
  }
  if (!isJsonObject(timed)) return invalid('cron or timed is required');
  const times = readTimes(timed);
  if ('fault' in times) return invalid(times.fault);
  const amount = numberOf(controls['amount'] ?? 1);
  const unit = unitOf(controls['unit']);
  if (amount === undefined || !Number.isInteger(amount) || amount < 1) {
    return invalid('amount must be a whole number of at least 1');
  }
  if (unit === undefined && !isAbsent(controls['unit'])) return wrongAmount('');
  return waitUntil(now, nextByTimes(times, { amount, unit }, timezone, now, horizon), 'timed');
}

/** `delayPath` names a date in the payload; `dynamicKey` a date or an amount of time. */
function atNamed({ controls, variables, now }: TimingInput, control: 'delayPath' | 'dynamicKey'): Timing {
  const path = controls[control];
  if (typeof path !== 'string' || path.trim() === '') return invalid(`${control} is required`);
  const value = namedValue(variables, path.trim());
  if (control === 'dynamicKey' && isJsonObject(value)) return after(now, value, `${path.trim()}.`);
  // The text of a rendered template is the date itself.
  const time = isoTime(value === undefined ? path : value);
  if (time !== undefined) return waitUntil(now, time, path.trim());
  if (value === undefined) return invalid(`${control}: there is no "${path.trim()}" in the payload`);
  const forms = control === 'dynamicKey' ? 'a date in ISO 8601 or {amount, unit}' : 'a date in ISO 8601';
  return invalid(`${control}: "${path.trim()}" must be ${forms}`);
}

function waitUntil(now: Date, at: number, what: string): Timing {
  const delayMs = at - now.getTime();
  if (delayMs <= 0)
    return { ok: false, reason: 'past', message: `${what} is in the past: ${new Date(at).toISOString()}` };
  if (delayMs > LONGEST_WAIT_MS) {
    return { ok: false, reason: 'limit', message: `${what} is more than ${LIMITS.waitDays} days ahead` };
  }
  return { ok: true, until: new Date(at), delayMs };
}

// ----------------------------------------------------------------------------------------------------- digest parts

type LookBack = { amount: number; unit: TimeUnit; ms: number };

/** `lookBackWindow` or the `backoff*` controls; `backoff: false` turns both off. */
function lookBackOf(controls: JsonObject, required: boolean): LookBack | TimingFault | undefined {
  const { lookBackWindow, backoff, backoffAmount, backoffUnit } = controls;
  if (backoff === false && !required) return undefined;
  const isWindow = !isAbsent(lookBackWindow);
  const given = isWindow ? lookBackWindow : { amount: backoffAmount ?? null, unit: backoffUnit ?? null };
  const { amount, unit } = isJsonObject(given) ? given : {};
  if (!isWindow && isAbsent(amount) && isAbsent(unit)) {
    return required || backoff === true
      ? invalid('lookBackWindow or backoffAmount and backoffUnit are required')
      : undefined;
  }
  const ms = durationMs(amount, unit);
  if (ms === undefined)
    return invalid(`${isWindow ? 'lookBackWindow' : 'backoffAmount and backoffUnit'} must be an amount of time`);
  if (ms > LONGEST_WAIT_MS) {
    return { ok: false, reason: 'limit', message: `the look-back is longer than ${LIMITS.waitDays} days` };
  }
  return { amount: numberOf(amount)!, unit: unitOf(unit)!, ms };
}

function shownTimes({ cron, timed }: JsonObject): JsonObject {
  if (typeof cron === 'string') return { cronExpression: cron };
  const times = isJsonObject(timed) ? readTimes(timed) : {};
  return 'fault' in times ? {} : { ...times };
}

// ------------------------------------------------------------------------------------------------- waits as written

/** How a digest or a delay waits, as its author wrote it: a value that is a template is left out. */
export function writtenWait(type: string, controls: JsonObject): JsonObject | undefined {
  if (type !== 'digest' && type !== 'delay') return undefined;
  const kind = kindOf(controls);
  const lookBack = type === 'digest' ? lookBackOf(controls, kind === 'backoff') : undefined;
  const found = lookBack && !('ok' in lookBack) ? lookBack : undefined;
  const isDigest = type === 'digest';
  const wait: Record<string, Json | undefined> = {
    type: isDigest && kind === 'regular' && found ? 'backoff' : kind,
    amount: numberOf(controls['amount']),
    unit: unitOf(controls['unit']),
    digestKey: isDigest ? textAt(controls, 'digestKey') : undefined,
    backoff: found && true,
    backoffAmount: found?.amount,
    backoffUnit: found?.unit,
    updateMode: typeof controls['updateMode'] === 'boolean' ? controls['updateMode'] : undefined,
    timed: kind === 'timed' ? writtenTimes(controls) : undefined,
    delayPath: textAt(controls, 'delayPath'),
    dynamicKey: textAt(controls, 'dynamicKey'),
    step: kind === 'until_read' ? textAt(controls, 'step') : undefined,
  };
  return Object.fromEntries(Object.entries(wait).filter(([, value]) => value !== undefined)) as JsonObject;
}

function textAt(controls: JsonObject, name: string): string | undefined {
  const value = controls[name];
  return typeof value === 'string' ? value : undefined;
}

/** Days of the month are texts here, and numbers in the digest of a notification. */
function writtenTimes(controls: JsonObject): JsonObject {
  const { monthDays, ...times } = shownTimes(controls);
  return { ...times, ...(Array.isArray(monthDays) && { monthDays: monthDays.map(String) }) };
}

// ----------------------------------------------------------------------------------------------------------- faults

const invalid = (message: string): TimingFault => ({ ok: false, reason: 'invalid', message });

const wrongType = (allowed: readonly string[]): TimingFault => invalid(`type must be one of: ${allowed.join(', ')}`);

const wrongAmount = (prefix: string): TimingFault =>
  invalid(`${prefix}amount must be a number above 0 and ${prefix}unit one of: ${TIME_UNITS.join(', ')}`);

const unitOf = (unit: Json | undefined): TimeUnit | undefined => TIME_UNITS.find((name) => name === unit);
