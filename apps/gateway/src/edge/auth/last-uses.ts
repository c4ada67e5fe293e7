const WRITE_EVERY_MS = 10_000;

/** Collects when rows were last used and writes the times of many rows together, every ten seconds. */
export class LastUses {
  private used = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly write: (uses: Map<string, Date>) => Promise<void>) {}

  add(id: string): void {
    this.used.set(id, new Date());
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), WRITE_EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  async flush(): Promise<void> {
    if (this.used.size === 0) return;
    const uses = this.used;
    this.used = new Map();
    try {
      await this.write(uses);
    } catch {
      // The time of last use is informative only, so an error here fails nothing.
    }
  }
}
