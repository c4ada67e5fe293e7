import type { BulkActionGroup, BulkActionRepository, ReplayedStep } from '@clarion/persistence';
import { Loop } from './loop';
import type { EngineLog } from './ports';

const IDLE_MS = 1_000;
/** Another process has the batch that is due. */
const RETRY_MS = 50;

export type BulkActionParts = {
  store: Pick<BulkActionRepository, 'nextDueInMs' | 'runNextBatch'>;
  offers: { steps(steps: ReplayedStep[]): void };
  log: EngineLog;
};

/** All progress is in Postgres: engines share the batches, and groups do not wait for each other. */
export class BulkActions {
  private readonly loops: Loop[];

  constructor(private readonly parts: BulkActionParts) {
    const failed = `Bulk actions cannot run. The engine tries again every ${IDLE_MS} ms.`;
    const loop = { log: parts.log, idleMs: IDLE_MS, failed, worksAgain: 'Bulk actions run again.' };
    this.loops = (['steady', 'failing'] as const).map((group) => new Loop(loop, () => this.runNext(group)));
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** The batches that are running end first. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** Runs the batch that is due; returns the time to wait. */
  private async runNext(group: BulkActionGroup): Promise<number> {
    const { store, offers, log } = this.parts;
    const dueInMs = (await store.nextDueInMs(group)) ?? IDLE_MS;
    if (dueInMs > 0) return Math.min(dueInMs, IDLE_MS);
    try {
      const queued = await store.runNextBatch(group);
      if (!queued) return RETRY_MS;
      if (queued.length > 0) offers.steps(queued);
    } catch (error) {
      // The action waits; the others go on.
      log.warn({ err: error }, 'A batch of a bulk action failed. It is tried again later, with fewer items.');
    }
    return 0;
  }
}
