/**
 * How long isolated rows follow each other, and how long the other rows then have at least. To finish all other rows
 * takes longer than one isolated row: a pause for each single row would make both slow.
 */
const SERIES_MS = 2_000;
const OTHERS_MS = 3_000;

/**
 * Lets one row of a process run while no other does. A row whose holders crashed repeatedly is judged by what happens
 * while it runs: a crash that another row causes in the same process must not count against it.
 */
export class Isolation {
  private running = 0;
  /** Resolves when the isolated rows have run. */
  private isolated: Promise<void> | undefined;
  private readonly onIdle: (() => void)[] = [];
  /** Resolves when the other rows had their time. */
  private othersHadTime: Promise<unknown> = Promise.resolve();

  /**
   * `quiet` resolves when rows that go on after their run has returned have ended; after a bounded time at the latest.
   */
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

  /**
   * Runs one row after everything that was started before, while nothing else starts. While `runNext` resolves to true,
   * it is called for the next row, for a bounded time.
   */
  async isolate(runNext: () => Promise<boolean>): Promise<void> {
    for (;;) {
      await this.othersHadTime;
      if (!this.isolated) break;
      await this.isolated;
    }
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
      this.othersHadTime = this.pause(OTHERS_MS);
      end();
    }
  }
}
