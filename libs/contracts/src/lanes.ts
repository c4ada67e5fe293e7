/** Who goes first. Each open row has the priority of its event as the number of its lane: the lower one goes first. */
export const PRIORITIES = ['critical', 'normal', 'bulk'] as const;
export type Priority = (typeof PRIORITIES)[number];

export type Lane = 1 | 2 | 3;
export const LANE_NUMBERS = { critical: 1, normal: 2, bulk: 3 } as const satisfies Record<Priority, Lane>;
export const NORMAL_LANE = LANE_NUMBERS.normal;

/** Events for a topic with more members than this, and broadcasts, are `bulk`. */
export const BULK_MEMBERS = 1_000;
