import type { Channel } from '../../api/channels';
import type { Overview } from './queries';
import { LENGTHS, type OverviewSearch } from './search';

/** From the base line up. `recovered` was delivered by a replay, `open` is neither held nor retried. */
export const PARTS = ['failed', 'recovered', 'held', 'retrying', 'open', 'skipped', 'delivered'] as const;

export const PART_WORDS: Record<(typeof PARTS)[number], string> = {
  failed: 'Failed',
  recovered: 'Recovered by replay',
  held: 'Held',
  retrying: 'Retrying',
  open: 'In flight or in doubt',
  skipped: 'Skipped',
  delivered: 'Delivered',
};
export type Parts = Record<(typeof PARTS)[number], number>;
export type Bucket = Parts & Record<'accepted' | 'from' | 'to', number>;

/** One bucket for each piece of the range; the response leaves out those without counts. */
export function bucketsOf({ after, before, bucketSeconds, series }: Overview, channel: Channel | ''): Bucket[] {
  const [first, last] = [Date.parse(after), Date.parse(before)];
  const length = bucketSeconds * 1_000;
  const buckets = Array.from({ length: Math.max(0, Math.round((last - first) / length)) }, (_, place): Bucket => {
    const from = first + place * length;
    const nothing = { failed: 0, recovered: 0, held: 0, retrying: 0, open: 0, skipped: 0, delivered: 0 };
    return { from, to: from + length, accepted: 0, ...nothing };
  });
  for (const point of series) {
    const bucket = buckets[Math.floor((Date.parse(point.at) - first) / length)];
    if (!bucket || (channel !== '' && point.channel !== channel)) continue;
    const { accepted, delivered, failed, skipped, held, retrying } = point;
    const recovered = Math.min(delivered, point.recovered);
    bucket.accepted += accepted;
    bucket.delivered += delivered - recovered;
    bucket.recovered += recovered;
    bucket.failed += failed;
    bucket.skipped += skipped;
    bucket.held += held;
    bucket.retrying += retrying;
    bucket.open += Math.max(0, accepted - delivered - failed - skipped - held - retrying);
  }
  return buckets;
}

/** The shortest range up to now that holds all data, where it is shorter than the one that is chosen. */
export function fittingRange(
  { range = 'day' }: OverviewSearch,
  { before, series }: Overview,
): OverviewSearch | undefined {
  if (range === 'custom' || series.length === 0) return undefined;
  const first = Math.min(...series.map(({ at }) => Date.parse(at)));
  const span = Date.parse(before) - first;
  const fitting = (['hour', 'day', 'week'] as const).find((name) => LENGTHS[name] >= span);
  return fitting && LENGTHS[fitting] < LENGTHS[range] ? { range: fitting } : undefined;
}

/** The end of the scale: a round number with four whole quarters. */
export function scaleOf(most: number): number {
  const wanted = Math.max(4, most);
  const size = 10 ** Math.floor(Math.log10(wanted));
  const ends = [1, 2, 4, 6, 8, 10, 12].map((each) => each * size);
  return ends.find((end) => end >= wanted && end % 4 === 0) ?? wanted;
}

/** The sum of all pieces of time. */
export function partsOf(overview: Overview, channel: Channel | ''): Parts {
  const sums = { failed: 0, recovered: 0, held: 0, retrying: 0, open: 0, skipped: 0, delivered: 0 };
  for (const bucket of bucketsOf(overview, channel)) for (const part of PARTS) sums[part] += bucket[part];
  return sums;
}
