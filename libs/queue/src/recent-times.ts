import { type Lane, LANE_NUMBERS } from '@clarion/contracts/core';

export type LaneTimes = Partial<Record<Lane, Date>>;

/** What was read in the last milliseconds. */
export class RecentTimes {
  private readings: { at: number; times: LaneTimes }[] = [];

  constructor(
    private readonly milliseconds: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Adds readings. Returns, for each lane, the earliest time of those that are not older than the milliseconds. */
  add(...added: LaneTimes[]): LaneTimes {
    const at = this.now();
    const recent = this.readings.filter((reading) => at - reading.at < this.milliseconds);
    this.readings = [...recent, ...added.map((times) => ({ at, times }))];
    return Object.fromEntries(
      Object.values(LANE_NUMBERS).flatMap((lane) => {
        const times = this.readings.flatMap((reading) => reading.times[lane]?.getTime() ?? []);
        return times.length > 0 ? [[lane, new Date(Math.min(...times))]] : [];
      }),
    );
  }

  clear(): void {
    this.readings = [];
  }
}
