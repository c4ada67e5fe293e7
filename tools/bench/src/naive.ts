import { Queue } from 'bullmq';
import { newId } from '@clarion/contracts';
import { type Process, startProcess } from './processes';
import { acceptedTables, insertRow, type Pattern, rowsLike } from './rows';
import { openPool, type Scene } from './stage';

/** Concurrency on either side of the queue. */
export const NAIVE_CONCURRENCY = 50;

export type NaiveTask = {
  pattern: Pattern;
  queue: string;
  redisUrl: string;
  databaseUrl: string;
  providerUrl?: string;
};

/**
 * The obvious pipeline: one job per notification with all of its data, one INSERT per row, fifty jobs in parallel. It
 * writes the same rows as Clarion and makes the same provider call, and it gets its work without HTTP.
 */
export class Naive {
  private constructor(
    private readonly scene: Scene,
    private readonly pattern: Pattern,
    private readonly queue: Queue,
    private readonly worker: Process,
  ) {}

  static async start(scene: Scene, pattern: Pattern, providerUrl?: string): Promise<Naive> {
    const name = `naive-${newId()}`;
    const task: NaiveTask = {
      pattern,
      queue: name,
      redisUrl: scene.redisUrl!,
      databaseUrl: scene.databaseUrl,
      ...(providerUrl && { providerUrl }),
    };
    const { process: worker } = await startProcess('naive-process', [JSON.stringify(task)]);
    return new Naive(scene, pattern, new Queue(name, { connection: { url: scene.redisUrl! } }), worker);
  }

  /** Notifications per second. */
  async deliver(subscriberIds: string[], count: number): Promise<number> {
    const pool = openPool(this.scene, NAIVE_CONCURRENCY);
    const done = new Promise<void>((resolve) => {
      let finished = 0;
      const stop = this.worker.listen((message) => {
        finished += (message as { done: number }).done;
        if (finished < count) return;
        stop();
        resolve();
      });
    });
    try {
      const begin = performance.now();
      const accepted = acceptedTables(this.pattern);
      let left = count;
      const caller = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const rows = rowsLike(this.pattern, subscriberIds[left % subscriberIds.length]!);
          for (const [index, part] of this.pattern.slice(0, accepted).entries())
            for (const row of rows[index]!) await insertRow(pool, part, row);
          await this.queue.add('notification', rows.slice(accepted), { removeOnComplete: true });
        }
      };
      await Promise.all(Array.from({ length: NAIVE_CONCURRENCY }, caller));
      await done;
      return count / ((performance.now() - begin) / 1000);
    } finally {
      await pool.end();
    }
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.queue.obliterate({ force: true });
    await this.queue.close();
  }
}
