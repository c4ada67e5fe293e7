import { DomainError, fieldErrors, LIMITS } from '@clarion/contracts';
import { type CountedRange, MINUTES_KEPT_HOURS } from '@clarion/persistence';
import { readTimeRange } from '../../edge/http/time-range';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of a bucket in seconds; all of them divide a day. */
const BUCKETS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480].map((minutes) => minutes * MINUTE);
const MOST_POINTS = 120;

/** Minutes are merged into hours after a while; a range is rounded to hours some time before. */
const MINUTES_READ_SECONDS = (MINUTES_KEPT_HOURS - 2) * HOUR;

/** Rounds the range outward to whole buckets, so that it has few points and no count is divided. */
export function readCountedRange(
  given: { after?: string; before?: string },
  now = new Date(),
): CountedRange & { bucketSeconds: number } {
  const read = readTimeRange(given);
  const before = (read.before ?? now).getTime() / 1000;
  const after = read.after ? read.after.getTime() / 1000 : before - DAY;
  if (after > before) throw refusal(`after must not be later than now without before`, given.after);
  if (before - after > LIMITS.overviewDays * DAY) {
    throw refusal(`after must be at most ${LIMITS.overviewDays} days earlier than before`, given.after);
  }
  const least = after < now.getTime() / 1000 - MINUTES_READ_SECONDS ? HOUR : MINUTE;
  const wanted = Math.max((before - after) / MOST_POINTS, least);
  const bucketSeconds = BUCKETS.find((seconds) => seconds >= wanted) ?? BUCKETS.at(-1)!;
  const first = Math.floor(after / bucketSeconds);
  const last = Math.max(Math.ceil(before / bucketSeconds), first + 1);
  return {
    after: new Date(first * bucketSeconds * 1000),
    before: new Date(last * bucketSeconds * 1000),
    bucketSeconds,
  };
}

const refusal = (message: string, value?: string): DomainError =>
  new DomainError('bad_request', message, fieldErrors('after', message, value));
