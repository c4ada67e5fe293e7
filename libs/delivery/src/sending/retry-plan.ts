/** Waits between attempts after a failure that may pass: eight attempts in about eight hours. */
const WAITS_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3600, 5 * 3600].map((seconds) => seconds * 1000);
const JITTER = 0.2;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** The wait after this attempt (counted from 1) failed; undefined after the last attempt. */
export function waitAfter(attempt: number, random: () => number): number | undefined {
  const wait = WAITS_MS[attempt - 1];
  // Without jitter, messages that failed together would be retried together.
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}
