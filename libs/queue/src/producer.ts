import type { Queue } from 'bullmq';
import { type EngineOptions, openQueue, prepareEngine, PRODUCER_TIMEOUT_MS, type QueueEngine } from './engine';
import type { QueueName, QueuePayloads } from './jobs';

/**
 * The only hand that puts jobs into the queue. Callers have already committed the rows, so a failed add loses nothing: it
 * is counted and reported through `onError`, and the sweeper offers the rows again.
 */
export class QueueProducer {
  private readonly queues = new Map<QueueName, Queue>();
  /** Adds that did not reach the queue since this process started. */
  failedAdds = 0;

  private constructor(
    readonly engine: QueueEngine,
    private readonly options: EngineOptions,
  ) {}

  static async open(engine: QueueEngine, options: EngineOptions): Promise<QueueProducer> {
    await prepareEngine(engine, options);
    return new QueueProducer(engine, options);
  }

  /** Never throws and never takes longer than the producer's timeout. True when the queue has the job. */
  async enqueue<Q extends QueueName>(name: Q, payload: QueuePayloads[Q]): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`the ${name} queue did not answer in time`)), PRODUCER_TIMEOUT_MS);
      });
      const added = this.queue(name).add(name, payload);
      added.catch(() => undefined);
      await Promise.race([added, late]);
      return true;
    } catch (error) {
      this.failedAdds += 1;
      this.options.onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close().catch(() => undefined)));
  }

  private queue(name: QueueName): Queue {
    let queue = this.queues.get(name);
    if (!queue) this.queues.set(name, (queue = openQueue(this.engine, name, this.options)));
    return queue;
  }
}
