import { oneOf, oneText } from '../../search';

export const RANGES = ['hour', 'day', 'week', 'month', 'custom'] as const;
export type RangeName = (typeof RANGES)[number];

/** Without a range: the last 24 hours. `after` and `before` are ISO 8601; `bulk` is the action whose dialog is open. */
export type OverviewSearch = { range?: RangeName; after?: string; before?: string; bulk?: string };

export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const range = oneOf(...RANGES)(search, 'range');
  const bulk = oneText(search, 'bulk');
  if (range !== 'custom') return { range, bulk };
  return { range, bulk, after: readTime(search, 'after'), before: readTime(search, 'before') };
}

function readTime(search: Record<string, unknown>, name: string): string | undefined {
  const time = new Date(oneText(search, name) ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const HOUR = 3_600_000;
export const LENGTHS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;

/** The times to ask for. A range such as the last hour ends now, so it moves with each request. */
export function timesOf({ range = 'day', after, before }: OverviewSearch): { after?: string; before?: string } {
  return range === 'custom' ? { after, before } : { after: new Date(Date.now() - LENGTHS[range]).toISOString() };
}
