import type { Channel } from '../../api/channels';
import type { ErrorGroup, Overview } from './queries';

/** An incident is over when nothing has failed for this time, or what failed was replayed. */
const OVER_AFTER_MS = 15 * 60_000;

export type OpenIncident = {
  providerId: string | null;
  channel: Channel;
  groups: ErrorGroup[];
  since: string;
  steps: number;
  people: number;
  /** Of all steps of the channel in this range. */
  share: number;
};

export const isOpenNow = ({ lastAt, isReplayed }: ErrorGroup): boolean =>
  !isReplayed && Date.now() - Date.parse(lastAt) < OVER_AFTER_MS;

export function openIncidents(all: ErrorGroup[], { channels }: Overview): OpenIncident[] {
  const byCause: Record<string, ErrorGroup[]> = {};
  for (const group of all.filter(isOpenNow)) (byCause[`${group.providerId} ${group.channel}`] ??= []).push(group);
  return Object.values(byCause)
    .map((groups) => {
      const { providerId, channel } = groups[0]!;
      const sum = (read: (group: ErrorGroup) => number): number =>
        groups.reduce((total, each) => total + read(each), 0);
      const steps = sum(({ count }) => count);
      const accepted = channels.find((each) => each.channel === channel)?.totals.accepted ?? 0;
      return {
        providerId,
        channel,
        groups: groups.toSorted((one, other) => other.count - one.count),
        since: groups.map(({ firstAt }) => firstAt).toSorted()[0]!,
        steps,
        people: sum(({ people }) => people),
        share: accepted === 0 ? 0 : steps / accepted,
      };
    })
    .toSorted((one, other) => other.steps - one.steps);
}
