/**
 * Lets one row of a process run while no other does. A row whose holders crashed repeatedly is judged by what happens
 * while it runs: a crash that another row causes in the same process must not count against it.
 */
export class Isolation {
  private running = 0;
  /** Resolves when the isolated row has run. */
  private isolated: Promise<void> | undefined;
  private readonly onIdle: (() => void)[] = [];

  /**
   * `quiet` resolves when rows that go on after their run has returned have ended; after a bounded time at the latest.
   */
  constructor(private readonly quiet: () => Promise<unknown> = () => Promise.resolve()) {}

  /** Runs rows beside others, after the row that is isolated now or next. */
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

  /** Runs one row after everything that was started before, while nothing else starts. */
  async isolate<T>(work: () => Promise<T>): Promise<T> {
    // Work that has waited for the last isolated row comes first, so that many such rows cannot stop all other work.
    await new Promise(setImmediate);
    while (this.isolated) await this.isolated;
    let end = (): void => undefined;
    this.isolated = new Promise((resolve) => (end = resolve));
    try {
      while (this.running > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
      await this.quiet();
      return await work();
    } finally {
      this.isolated = undefined;
      end();
    }
  }
}
