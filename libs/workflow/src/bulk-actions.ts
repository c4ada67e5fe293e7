import type { BulkActionLane, BulkActionRepository, ReplayedStep } from '@clarion/persistence';
import { FaultLog } from '@clarion/platform';
import type { EngineLog } from './ports';

const IDLE_MS = 1_000;
/** Another process has the batch that is due. */
const RETRY_MS = 50;
const FAILED = `Bulk actions cannot run. The engine tries again every ${IDLE_MS} ms.`;

export type BulkActionParts = {
  store: Pick<BulkActionRepository, 'nextDueInMs' | 'runNextBatch'>;
  offers: { steps(steps: ReplayedStep[]): void };
  log: EngineLog;
};

/**
 * Works off bulk actions, batch by batch at the rate of each. All progress is in Postgres: any number of engines share
 * the batches, and another engine goes on when one ends. A batch of one lane does not wait for one of the other.
 */
export class BulkActions {
  private readonly lanes: Lane[];

  constructor(parts: BulkActionParts) {
    this.lanes = (['steady', 'failing'] as const).map((lane) => new Lane(lane, parts));
  }

  start(): void {
    for (const lane of this.lanes) lane.start();
  }

  /** The batches that are running end first. */
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
  }
}

class Lane {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private readonly faults: FaultLog;

  constructor(
    private readonly lane: BulkActionLane,
    private readonly parts: BulkActionParts,
  ) {
    this.faults = new FaultLog(parts.log);
  }

  start(): void {
    this.schedule(IDLE_MS);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Works off what is due; returns the time to wait. */
  private async runDue(): Promise<number> {
    const { store, offers, log } = this.parts;
    while (!this.stopped) {
      const dueInMs = (await store.nextDueInMs(this.lane)) ?? IDLE_MS;
      this.faults.over(FAILED, 'Bulk actions run again.');
      if (dueInMs > 0) return Math.min(dueInMs, IDLE_MS);
      try {
        const queued = await store.runNextBatch(this.lane);
        if (!queued) return RETRY_MS;
        if (queued.length > 0) offers.steps(queued);
      } catch (error) {
        // The action waits; the others go on.
        log.warn({ err: error }, 'A batch of a bulk action failed. It is tried again later, with fewer items.');
      }
    }
    return IDLE_MS;
  }

  private schedule(milliseconds: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runDue()
        .catch((error: unknown) => {
          this.faults.report(FAILED, error);
          return IDLE_MS;
        })
        .then((waitMs) => this.schedule(waitMs));
    }, milliseconds);
    this.timer.unref();
  }
}
