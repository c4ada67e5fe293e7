import { RETRY_WAITS_MS } from '@clarion/contracts/core';

const JITTER = 0.2;

/** The wait after this attempt (counted from 1) failed; undefined after the last attempt. */
export function waitAfter(attempt: number, random: () => number): number | undefined {
  const wait = RETRY_WAITS_MS[attempt - 1];
  // Without jitter, messages that failed together would be retried together.
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}
