/** Who goes first. Each open row has the priority of its event as the number of its lane: the lower one goes first. */
export const PRIORITIES = ['critical', 'normal', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

export type Lane = 1 | 2 | 3;
export const LANE_NUMBERS = { critical: 1, normal: 2, bulk: 3 } as const satisfies Record<Priority, Lane>;
export const NORMAL_LANE = LANE_NUMBERS.normal;

/** Events for a topic with more members than this, and broadcasts, are `bulk`. */
export const BULK_MEMBERS = 1_000;

/** Turns inside a lane, with two places each. */
const TURNS = 16;
const PLACES_OF_LANE = 2 * TURNS;

/** Everything that waits is ordered by it, the lower first: the lane, then how much was offered lately. */
export const placeOf = (lane: Lane, turn = 0): number => lane * PLACES_OF_LANE + 2 * Math.min(turn, TURNS - 1);

/**
 * The place among all environments. A lane is the choice of its environment, so critical rows beyond what a quiet
 * environment offers take turns with the normal ones: they go just before those with the same turn.
 */
export const sharedPlaceOf = (lane: Lane, turn: number): number =>
  lane === LANE_NUMBERS.critical && turn > 0 ? placeOf(NORMAL_LANE, turn) - 1 : placeOf(lane, turn);

/** The lane of a place. What has no place goes first. */
export const laneAt = (place: number): Lane =>
  place % 2 === 1 ? LANE_NUMBERS.critical : (Math.max(1, Math.floor(place / PLACES_OF_LANE)) as Lane);

/** Of so many rows, a share gets one. */
const ROUND = 20;

/** One end of a lane, and after how many rows it has its turn. */
export type Share = { lane: Lane; isEnd: boolean; dueAt: number };

/**
 * Of twenty rows that are taken while others wait, one each is from the front and from the end of the normal lane and
 * of the bulk lane: no row waits forever for another lane, or for earlier places of its lane. A hundred rows that are
 * taken together are the share of two thousand.
 */
export class Shares {
  private taken = 0;
  private readonly all: Share[] = [false, true].flatMap((isEnd, at) =>
    [LANE_NUMBERS.normal, LANE_NUMBERS.bulk].map((lane, index) => ({ lane, isEnd, dueAt: 10 * at + 5 * index + 4 })),
  );

  /** Whose turn it is; undefined when it is that of the first in line. */
  get due(): Share | undefined {
    return this.all.find(({ dueAt }) => dueAt <= this.taken);
  }

  /** The share has got so many rows, which are counted when they are taken. The others do not follow at once. */
  give(share: Share, rows: number): void {
    for (const other of this.all) other.dueAt = Math.max(other.dueAt, this.taken + (ROUND / this.all.length) * rows);
    this.skip(share, rows);
  }

  /** Nothing waits for the share. */
  skip(share: Share, rows: number): void {
    share.dueAt = this.taken + ROUND * rows;
  }

  count(rows: number): void {
    this.taken += rows;
  }
}

/** Of the places where something waits, in order, the one that has the share. */
export const shareOf = <P extends { place: number }>({ lane, isEnd }: Share, places: P[]): P | undefined => {
  const isOfLane = ({ place }: P): boolean => laneAt(place) === lane;
  return isEnd ? places.findLast(isOfLane) : places.find(isOfLane);
};

/** All places, in order. */
export const PLACES = Array.from({ length: PRIORITIES.length * PLACES_OF_LANE }, (_, index) => PLACES_OF_LANE + index);
