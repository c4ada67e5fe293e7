import { setTimeout as delay } from 'node:timers/promises';

/** Ctrl-C, or the end that a container asks for. */
export class Interrupt {
  private readonly ending = new AbortController();
  private readonly stop = (): void => this.ending.abort();

  constructor() {
    process.once('SIGINT', this.stop).once('SIGTERM', this.stop);
  }

  /** Ends calls and waits that take part in the work. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  get isRequested(): boolean {
    return this.ending.signal.aborted;
  }

  /** Waits for the time, or until the command is interrupted. */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }

  close(): void {
    process.off('SIGINT', this.stop).off('SIGTERM', this.stop);
  }
}
