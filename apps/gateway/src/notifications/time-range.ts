import { isISO8601 } from 'class-validator';
import { DomainError, fieldErrors } from '@clarion/contracts';

type TimeRange = { after?: Date; before?: Date };

/** The bounds of a list by time, both inclusive. */
export function readTimeRange({ after, before }: { after?: string; before?: string }): TimeRange {
  const range = { after: readTime('after', after), before: readTime('before', before) };
  if (range.after && range.before && range.after > range.before) {
    throw refusal('after', 'after must not be later than before', after);
  }
  return range;
}

export function readTime(field: string, text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = isISO8601(text, { strict: true }) ? new Date(inSomeZone(text)) : undefined;
  if (!time || Number.isNaN(time.getTime())) throw refusal(field, `${field} must be a time in ISO 8601`, text);
  return time;
}

/** A time without a zone would mean another moment on every server; here it is UTC, as a date alone is. */
function inSomeZone(text: string): string {
  return /T[^Z+-]*$/i.test(text) ? `${text}Z` : text;
}

const refusal = (field: string, message: string, value?: string): DomainError =>
  new DomainError('bad_request', message, fieldErrors(field, message, value));
