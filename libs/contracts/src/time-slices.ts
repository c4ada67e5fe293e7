/** The time after which work that a tenant can make long lets other events be handled. */
const SLICE_MS = 20;

const waiting: (() => void)[] = [];

/** Resolves one in each turn of the event loop: ten callers with long work would take ten slices in a turn. */
function resolveNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resolveNext);
}

/** Lets other events be handled. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    // Immediates of the answer to a read run in the same turn, before due timers and other answers.
    if (waiting.length === 1) setImmediate(() => setImmediate(resolveNext));
  });

/** Splits a loop over things whose number or size a tenant chooses, so that it does not block the event loop. */
export class TimeSlices {
  private since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  /** Lets other events be handled if a slice of time is used up; the loop calls it after each thing. */
  async rest(): Promise<void> {
    if (this.isOver) await this.pause();
  }

  /** The same, before or after something that takes about a slice by itself. */
  async pause(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}

export async function mapInSlices<T, R>(
  all: readonly T[],
  work: (one: T, at: number) => R,
  slices = new TimeSlices(),
): Promise<R[]> {
  const results: R[] = [];
  for (const [at, one] of all.entries()) {
    results.push(work(one, at));
    if (slices.isOver) await slices.pause();
  }
  return results;
}
