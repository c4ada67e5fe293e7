import type { BulkActionRepository, ReplayedStep } from '@clarion/persistence';
import type { EngineLog } from './ports';

const IDLE_MS = 1_000;
/** Another process has the batch that is due. */
const RETRY_MS = 50;

export type BulkActionParts = {
  store: Pick<BulkActionRepository, 'nextDueInMs' | 'runNextBatch'>;
  offers: { steps(steps: ReplayedStep[]): void };
  log: EngineLog;
};

/**
 * Works off bulk actions, batch by batch at the rate of each. All progress is in Postgres: any number of engines share
 * the batches, and another engine goes on when one ends.
 */
export class BulkActions {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly parts: BulkActionParts) {}

  start(): void {
    this.schedule(IDLE_MS);
  }

  /** The batch that is running ends first. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Works off what is due; returns the time to wait. */
  private async runDue(): Promise<number> {
    const { store, offers } = this.parts;
    while (!this.stopped) {
      const dueInMs = (await store.nextDueInMs()) ?? IDLE_MS;
      if (dueInMs > 0) return Math.min(dueInMs, IDLE_MS);
      const queued = await store.runNextBatch();
      if (!queued) return RETRY_MS;
      if (queued.length > 0) offers.steps(queued);
    }
    return IDLE_MS;
  }

  private schedule(milliseconds: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runDue()
        .catch((error: unknown) => {
          this.parts.log.warn({ err: error }, `A bulk action failed. The engine tries again in ${IDLE_MS} ms.`);
          return IDLE_MS;
        })
        .then((waitMs) => this.schedule(waitMs));
    }, milliseconds);
    this.timer.unref();
  }
}
