/** Who goes first. Each open row has the priority of its event as the number of its lane: the lower one goes first. */
export const PRIORITIES = ['critical', 'normal', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

export type Lane = 1 | 2 | 3;
export const LANE_NUMBERS = { critical: 1, normal: 2, bulk: 3 } as const satisfies Record<Priority, Lane>;
export const NORMAL_LANE = LANE_NUMBERS.normal;

/** Events for a topic with more members than this, and broadcasts, are `bulk`. */
export const BULK_MEMBERS = 1_000;

/** Turns inside a lane. */
const TURNS = 32;

/**
 * The one number by which everything that waits is ordered, in queues and in memory: the lower one goes first. Inside a
 * lane it is the turn: of an environment that has offered much lately, it is high.
 */
export const placeOf = (lane: Lane, turn = 0): number => lane * TURNS + Math.min(turn, TURNS - 1);

/** The lane of a place. What has no place goes first. */
export const laneAt = (place: number): Lane => Math.max(1, Math.floor(place / TURNS)) as Lane;

/** The lanes behind others get at least one of so many rows. */
const ROUND = 10;

/**
 * Of ten rows that are taken while others wait, one is from the end of the normal lane and one from the end of the bulk
 * lane: none of them stands still. A hundred rows that are taken together are the share of a thousand.
 */
export class Shares {
  private taken = 0;
  private readonly dueAt = new Map<Lane, number>([
    [LANE_NUMBERS.normal, ROUND / 2 - 1],
    [LANE_NUMBERS.bulk, ROUND - 1],
  ]);

  /** The lane whose end has its turn; undefined when it is that of the first in line. */
  get due(): Lane | undefined {
    return [...this.dueAt.keys()].find((lane) => this.dueAt.get(lane)! <= this.taken);
  }

  /** The lane has got so many rows, which are counted when they are taken. */
  give(lane: Lane, rows: number): void {
    this.dueAt.set(lane, this.taken + ROUND * rows);
  }

  count(rows: number): void {
    this.taken += rows;
  }
}

/** All places, in order. */
export const PLACES = Array.from({ length: PRIORITIES.length * TURNS }, (_, index) => TURNS + index);
