const POLL_MS = 20;
/** On a busy machine only the time of a spec may change. */
const LONGEST_MS = 120_000;

/** Polls until the condition holds. Throws what the condition throws, and an error with its text after the limit. */
export async function until(holds: () => boolean | Promise<boolean>, longestMs = LONGEST_MS): Promise<void> {
  const deadline = performance.now() + longestMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`after ${longestMs} ms it does not hold: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
