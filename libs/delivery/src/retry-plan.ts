/** Waits between the tries of a message that failed for a passing reason: eight tries in about eight hours. */
const WAITS_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3600, 5 * 3600].map((seconds) => seconds * 1000);
const JITTER = 0.2;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** How long to wait after the given try (from 1) has failed; undefined when it was the last. */
export function waitAfter(attempt: number, random: () => number): number | undefined {
  const wait = WAITS_MS[attempt - 1];
  // Without jitter everything that failed together would come back together.
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}
