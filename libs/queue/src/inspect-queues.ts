import { withTimeout } from '@clarion/contracts/core';
import { type QueueBackend, type QueueOptions, waitFactorOf } from './backend';
import { QUEUE_NAMES, type QueueName } from './jobs';
import { openQueues, QueueConnection, type Queues } from './queue-connection';
import { FAIL_SOON } from './redis-connections';
import { oldestJobs } from './waiting-places';

/** The jobs of a queue. A job names up to 100 rows; the rows themselves are in Postgres. */
export type QueueJobs = {
  name: QueueName;
  waiting: number;
  /** Alarms for rows that are due later. */
  delayed: number;
  active: number;
  /** Age of the job that waits for the longest time. */
  oldestSeconds: number | null;
};

const ANSWER_MS = 5_000;

export class QueueInspector {
  private readonly connection: QueueConnection;
  private readonly queues: Queues;
  private readonly answerMs: number;

  constructor(backend: QueueBackend, options: QueueOptions) {
    this.connection = new QueueConnection(backend, options, { ...FAIL_SOON, commandTimeout: ANSWER_MS });
    this.answerMs = ANSWER_MS * waitFactorOf(backend);
    this.queues = openQueues(this.connection);
  }

  async read(): Promise<QueueJobs[]> {
    await this.connect();
    return Promise.all(QUEUE_NAMES.map((name) => withTimeout(this.readOne(name), this.answerMs, `reading ${name}`)));
  }

  /** It loses nothing: the sweeper offers the rows again. Jobs that a process has taken are finished. */
  async drain(name: QueueName): Promise<number> {
    await this.connect();
    const queue = this.queues[name];
    const { waiting = 0, prioritized = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'prioritized', 'delayed');
    await queue.drain(true);
    return waiting + prioritized + delayed;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private connect(): Promise<void> {
    return withTimeout(this.connection.waitUntilReady(), this.answerMs, 'connecting to the queue');
  }

  private async readOne(name: QueueName): Promise<QueueJobs> {
    const queue = this.queues[name];
    const [counts, oldest] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active'),
      oldestJobs(queue),
    ]);
    const { waiting: promoted = 0, prioritized = 0, delayed = 0, active = 0 } = counts;
    const times = Object.values(oldest).map((at) => at.getTime());
    const oldestSeconds = times.length === 0 ? null : Math.max(0, (Date.now() - Math.min(...times)) / 1000);
    return { name, waiting: promoted + prioritized, delayed, active, oldestSeconds };
  }
}
