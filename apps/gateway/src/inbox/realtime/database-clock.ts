const FRESH_MS = 60_000;

/** The time of the database, without a statement for each caller. It is exact to the duration of a statement. */
export class DatabaseClock {
  private read: { time: number; at: number } | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly ask: () => Promise<Date>) {}

  /** While the database does not answer, the time goes on from the last answer, or is that of this machine. */
  async now(): Promise<number> {
    if (!this.read || performance.now() - this.read.at > FRESH_MS) {
      this.reading ??= this.ask()
        .then((time) => void (this.read = { time: time.getTime(), at: performance.now() }))
        .catch(() => undefined)
        .finally(() => (this.reading = undefined));
      await this.reading;
    }
    return this.read ? this.read.time + performance.now() - this.read.at : Date.now();
  }
}
