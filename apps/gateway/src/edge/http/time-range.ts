import { isISO8601 } from 'class-validator';
import { DomainError, fieldErrors } from '@clarion/contracts';

type TimeRange = { after?: Date; before?: Date };

/** Reads the bounds of a list by time. Both are inclusive. */
export function readTimeRange({ after, before }: { after?: string; before?: string }): TimeRange {
  const range = { after: readTime('after', after), before: readTime('before', before) };
  if (range.after && range.before && range.after > range.before) {
    throw refusal('after', 'after must not be later than before', after);
  }
  return range;
}

export function readTime(field: string, text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = parseTime(text);
  if (!time) throw refusal(field, notATime(field), text);
  return time;
}

/** Undefined for a text that is not a time in ISO 8601. */
export function parseTime(text: string): Date | undefined {
  const time = isISO8601(text, { strict: true }) ? new Date(withZone(text)) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time : undefined;
}

export const notATime = (field: string): string => `${field} must be a time in ISO 8601`;

/** JavaScript reads a time without a zone in the zone of the server. Here it is UTC, like a date without a time. */
function withZone(text: string): string {
  return /^[^T]*T[^Z+-]*$/i.test(text) ? `${text}Z` : text;
}

const refusal = (field: string, message: string, value?: string): DomainError =>
  new DomainError('bad_request', message, fieldErrors(field, message, value));
