import { withTimeout } from '@clarion/contracts/core';
import type { QueueBackend, QueueOptions } from './backend';
import { QUEUE_NAMES, type QueueName } from './jobs';
import { openQueues, QueueConnection, type Queues } from './queue-connection';

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
/** Of the jobs that wait, so many at the end of the queue are looked at for the oldest. */
const OLDEST_AMONG = 10;

/** The queues as an operator sees them. */
export class QueueInspector {
  private readonly connection: QueueConnection;
  private readonly queues: Queues;

  constructor(backend: QueueBackend, options: QueueOptions) {
    this.connection = new QueueConnection(backend, options);
    this.queues = openQueues(this.connection);
  }

  async read(): Promise<QueueJobs[]> {
    await withTimeout(this.connection.waitUntilReady(), ANSWER_MS, 'connecting to the queue');
    return Promise.all(QUEUE_NAMES.map((name) => withTimeout(this.readOne(name), ANSWER_MS, `reading ${name}`)));
  }

  /**
   * Removes the jobs that wait or are delayed, and returns their number. It loses nothing: the sweeper offers the rows
   * again. Jobs that a process has taken are finished by it.
   */
  async drain(name: QueueName): Promise<number> {
    await withTimeout(this.connection.waitUntilReady(), ANSWER_MS, 'connecting to the queue');
    const queue = this.queues[name];
    const { waiting = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'delayed');
    await queue.drain(true);
    return waiting + delayed;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async readOne(name: QueueName): Promise<QueueJobs> {
    const queue = this.queues[name];
    const { waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active');
    // The ends of the list differ between the backends, and jobs are taken meanwhile: look at both ends.
    const ends =
      waiting === 0
        ? []
        : await Promise.all([
            queue.getJobs('waiting', 0, OLDEST_AMONG, true),
            queue.getJobs('waiting', Math.max(0, waiting - OLDEST_AMONG), -1, true),
          ]);
    const times = ends.flat().flatMap((job) => (job ? [job.timestamp] : []));
    const oldestSeconds = times.length === 0 ? null : Math.max(0, (Date.now() - Math.min(...times)) / 1000);
    return { name, waiting, delayed, active, oldestSeconds };
  }
}
