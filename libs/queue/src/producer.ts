import {
  type EngineOptions,
  type OpenQueue,
  openQueue,
  prepareEngine,
  PRODUCER_TIMEOUT_MS,
  type QueueEngine,
} from './engine';
import { QUEUE_NAMES, type QueueName, type QueuePayloads } from './jobs';
import { within } from './within';

const READY_TIMEOUT_MS = 2_000;

/**
 * The only hand that puts jobs into the queue. Callers have already committed the rows, so a failed add loses nothing: it
 * is counted and reported through `onError`, and the sweeper offers the rows again.
 */
export class QueueProducer {
  private readonly queues = new Map<QueueName, OpenQueue>();
  /** Adds that did not reach the queue since this process started. */
  failedAdds = 0;

  private constructor(
    readonly engine: QueueEngine,
    private readonly options: EngineOptions,
  ) {}

  static async open(engine: QueueEngine, options: EngineOptions): Promise<QueueProducer> {
    await prepareEngine(engine, options);
    const producer = new QueueProducer(engine, options);
    for (const name of QUEUE_NAMES) producer.queues.set(name, openQueue(engine, name, options));
    await producer.waitUntilReady();
    return producer;
  }

  /** A queue that is away now is no reason not to start: adds fail and are counted until it is back. */
  private async waitUntilReady(): Promise<void> {
    const ready = Promise.all([...this.queues.values()].map(({ queue }) => queue.waitUntilReady()));
    await within(READY_TIMEOUT_MS, ready, 'connect').catch(this.options.onError);
  }

  /** Never throws and never takes longer than the producer's timeout. True when the queue has the job. */
  async enqueue<Q extends QueueName>(name: Q, payload: QueuePayloads[Q]): Promise<boolean> {
    try {
      const open = this.queues.get(name)!;
      // BullMQ would keep the job in memory until the server is back; the row is a better place to wait.
      if (!open.isConnected()) throw new Error(`the ${name} queue is not connected`);
      await within(PRODUCER_TIMEOUT_MS, open.queue.add(name, payload), name);
      return true;
    } catch (error) {
      this.failedAdds += 1;
      this.options.onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((open) => open.close().catch(this.options.onError)));
  }
}
