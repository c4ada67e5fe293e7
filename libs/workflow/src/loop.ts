import { FaultLog } from '@clarion/platform';
import type { EngineLog } from './ports';

export type LoopParts = {
  log: EngineLog;
  /** The first wait, and the one after a round that failed. */
  idleMs: number;
  /** What is logged when rounds fail, and when they work again. */
  failed: string;
  worksAgain: string;
};

/** Repeats a round of work. Each round returns the time to wait until the next one. */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private readonly faults = new FaultLog(this.parts.log);

  constructor(
    private readonly parts: LoopParts,
    private readonly round: () => Promise<number>,
  ) {}

  start(): void {
    this.schedule(this.parts.idleMs);
  }

  /** The round that is running ends first. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(milliseconds: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.attempt().then((waitMs) => this.schedule(waitMs));
    }, milliseconds);
    this.timer.unref();
  }

  private async attempt(): Promise<number> {
    const { failed, worksAgain, idleMs } = this.parts;
    try {
      const waitMs = await this.round();
      this.faults.over(failed, worksAgain);
      return waitMs;
    } catch (error) {
      this.faults.report(failed, error);
      return idleMs;
    }
  }
}
