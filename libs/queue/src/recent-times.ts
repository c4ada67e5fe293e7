import type { Lane } from '@clarion/contracts/core';

/** A time for each lane that has one. */
export type LaneTimes = Partial<Record<Lane, Date>>;

/** Readings of times that only grow. */
export class RecentTimes {
  private readings: { at: number; times: LaneTimes }[] = [];

  constructor(
    private readonly milliseconds: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Adds a reading. Returns, for each lane, the time of the first reading that is not older than the milliseconds. */
  add(times: LaneTimes): LaneTimes {
    const at = this.now();
    this.readings = [...this.readings.filter((reading) => at - reading.at < this.milliseconds), { at, times }];
    return Object.assign({}, ...this.readings.map((reading) => reading.times).toReversed()) as LaneTimes;
  }

  clear(): void {
    this.readings = [];
  }
}
