import type { LimitWait } from '@clarion/contracts/core';

/** The limit may be raised meanwhile. */
const LONGEST_WAIT_MS = 10_000;

/** How long a step waits whose environment has used up its render time, and the limit that its record names. */
export const renderTimeWait = ({
  waitMs,
  msPerSecond,
}: {
  waitMs: number;
  msPerSecond: number;
}): { waitMs: number; limit: LimitWait } => ({
  waitMs: Math.min(waitMs, LONGEST_WAIT_MS),
  limit: { limit: 'render_time', figure: msPerSecond },
});
