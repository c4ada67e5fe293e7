const POLL_MS = 20;

/** Polls until the condition holds. Throws what the condition throws, and after the timeout an error that names it. */
export async function until(
  condition: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`after ${timeoutMs} ms it is not true that ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
