import { AsyncResource } from 'node:async_hooks';

const AFTER_ERROR_MS = 1_000;

/** Runs work one run at a time. What comes meanwhile is part of the next run, so a burst costs few runs. */
export class RepeatedWork {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWanted = false;
  private isClosed = false;
  /** The work runs outside of the requests and transactions of the callers. */
  private readonly ownContext = new AsyncResource('RepeatedWork');

  constructor(
    /** Returns whether there is more to do. */
    private readonly work: () => Promise<boolean>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Runs the work after the wait, in which more of it may come. */
  start(waitMs: number): void {
    if (this.isClosed) return;
    if (this.running) this.isWanted = true;
    else this.timer ??= this.ownContext.runInAsyncScope(() => setTimeout(() => this.run(), waitMs));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private run(): void {
    this.timer = undefined;
    this.isWanted = false;
    this.running = this.attempt().then((waitMs) => {
      this.running = undefined;
      if (waitMs !== undefined || this.isWanted) this.start(waitMs ?? 0);
    });
  }

  private async attempt(): Promise<number | undefined> {
    try {
      return (await this.work()) ? 0 : undefined;
    } catch (error) {
      this.onError(error);
      return AFTER_ERROR_MS;
    }
  }
}
