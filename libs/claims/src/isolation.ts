/** How long isolated rows follow each other. A pause for each single row would make them and the others slow. */
const SERIES_MS = 1_000;

/**
 * Lets one row of a process run while no other does. A row whose holders crashed repeatedly is judged by what happens
 * while it runs: a crash that another row causes in the same process must not count against it.
 */
export class Isolation {
  private running = 0;
  /** Resolves when the isolated rows have run. */
  private isolated: Promise<void> | undefined;
  private readonly onIdle: (() => void)[] = [];

  /** `quiet` resolves when rows that go on after their run have ended; after a bounded time at the latest. */
  constructor(
    private readonly quiet: () => Promise<unknown>,
    private readonly pause: (milliseconds: number) => Promise<unknown>,
  ) {}

  /** Runs rows beside others, after the rows that are isolated now or next. */
  async share<T>(work: () => Promise<T>): Promise<T> {
    while (this.isolated) await this.isolated;
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.running === 0) for (const resolve of this.onIdle.splice(0)) resolve();
    }
  }

  /** Runs one row while nothing else does, then the next while `runNext` resolves to true, for a bounded time. */
  async isolate(runNext: () => Promise<boolean>): Promise<void> {
    // Work that has waited for the last isolated rows comes first, so that many such rows cannot stop all other work.
    await new Promise(setImmediate);
    while (this.isolated) await this.isolated;
    let end = (): void => undefined;
    this.isolated = new Promise((resolve) => (end = resolve));
    try {
      while (this.running > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
      await this.quiet();
      let isLong = false;
      void this.pause(SERIES_MS).then(() => (isLong = true));
      while ((await runNext()) && !isLong) await this.quiet();
    } finally {
      this.isolated = undefined;
      end();
    }
  }
}
