import { type BackendFactory, DelayedError, type IQueueBackend, type Job, WaitingError, Worker } from 'bullmq';
import { withTimeout } from '@clarion/contracts/core';
import {
  CLOSE_TIMEOUT_MS,
  type QueueOptions,
  postgresOptions,
  prepareBackend,
  type QueueBackend,
  queuePrefix,
} from './backend';
import { isReadable, type QueueName, type QueuePayloads } from './jobs';
import { openPostgresQueue } from './postgres-connections';
import { openRedis, WAIT_FOR_SERVER } from './redis-connections';

const READY_TIMEOUT_MS = 10_000;
/** How long a job of a newer release is delayed, so that a process that can read it gets it. */
const UNREADABLE_DELAY_MS = 30_000;
/** How long an aborted handler may still run, to release what it holds. */
const ABORT_GRACE_MS = 1_000;
/** The longest time that an idle worker blocks, in case it missed a notification. */
const POLL_SECONDS = 5;

export type JobContext = {
  /** Aborted when the process has to end before the handler has finished. */
  signal: AbortSignal;
};

export type JobHandler<Q extends QueueName> = (payload: QueuePayloads[Q], context: JobContext) => Promise<void>;

export type ConsumerOptions = QueueOptions & { concurrency: number };

/** `end` completes the job of a handler that ignores its abort signal. */
type Running = { controller: AbortController; end: () => void };

type JobWorker = Worker<unknown, void, string, IQueueBackend>;

/**
 * Consumes one queue with one handler. The rows are the truth: an error of the handler is reported and its job dropped,
 * because the sweeper offers rows again that made no progress. The same holds for a job whose lock is lost, so the
 * handler is not stopped then; the claim on its rows decides what it may still do.
 */
export class QueueConsumer<Q extends QueueName> {
  private readonly worker: JobWorker;
  private readonly server: Server;
  private readonly running = new Map<Promise<void>, Running>();
  private stopped = false;
  /**
   * When a job was last taken or finished, on the clock of `performance.now()`. A connection can look alive and be
   * dead; a process that has work and makes no progress should end.
   */
  lastProgressAt = performance.now();

  private constructor(
    backend: QueueBackend,
    name: Q,
    private readonly handler: JobHandler<Q>,
    private readonly options: ConsumerOptions,
  ) {
    const { worker, server } = openWorker(backend, name, (job, token) => this.take(job, token), options);
    this.worker = worker;
    this.server = server;
    this.worker.on('error', options.onError);
    this.worker.on('failed', (_job, error) => options.onError(error));
  }

  static async open<Q extends QueueName>(
    backend: QueueBackend,
    name: Q,
    handler: JobHandler<Q>,
    options: ConsumerOptions,
  ): Promise<QueueConsumer<Q>> {
    await prepareBackend(backend, options);
    const consumer = new QueueConsumer(backend, name, handler, options);
    // On Redis a worker waits for its server indefinitely. On Postgres a worker that fails here never recovers.
    if (backend.kind === 'postgres') await consumer.waitUntilReady();
    consumer.worker.run().catch(options.onError);
    return consumer;
  }

  private async waitUntilReady(): Promise<void> {
    try {
      await withTimeout(this.worker.waitUntilReady(), READY_TIMEOUT_MS, 'connecting to the queue');
    } catch (error) {
      await this.close(0);
      throw error;
    }
  }

  /** The number of running handlers. */
  get active(): number {
    return this.running.size;
  }

  private async take(job: Job<unknown, void>, token: string): Promise<void> {
    this.lastProgressAt = performance.now();
    if (this.stopped) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    if (!isReadable(job.data)) {
      await job.moveToDelayed(Date.now() + UNREADABLE_DELAY_MS, token);
      throw new DelayedError();
    }
    await this.handle(job.data as QueuePayloads[Q]);
    this.lastProgressAt = performance.now();
  }

  private handle(payload: QueuePayloads[Q]): Promise<void> {
    return new Promise((end) => {
      const controller = new AbortController();
      const work = (async () => this.handler(payload, { signal: controller.signal }))()
        .catch((error: unknown) => this.options.onError(error instanceof Error ? error : new Error(String(error))))
        .finally(() => {
          this.running.delete(work);
          end();
        });
      this.running.set(work, { controller, end });
    });
  }

  /** Permanently stops taking jobs; running handlers continue. */
  async pause(): Promise<void> {
    this.stopped = true;
    await this.worker.pause(true);
  }

  /** Stops taking jobs, waits for the handlers until the deadline, aborts the rest, and disconnects. */
  async close(deadlineMs: number): Promise<void> {
    await this.pause();
    const finished = (): Promise<unknown> => Promise.all(this.running.keys());
    await withTimeout(finished(), deadlineMs, 'finishing the jobs in progress').catch(async () => {
      for (const { controller } of this.running.values()) controller.abort();
      await withTimeout(finished(), ABORT_GRACE_MS, 'aborting the jobs in progress').catch(() => undefined);
    });
    for (const { end } of this.running.values()) end();
    // BullMQ reports the last jobs as done to the server. Without a connection it must not try, because it would wait
    // forever.
    const closed = this.worker.close(!this.server.isConnected());
    await withTimeout(closed, CLOSE_TIMEOUT_MS, 'closing the worker').catch(
      () => void this.worker.getBackend().close(true),
    );
    this.server.disconnect();
  }
}

/** The part of the connection that BullMQ does not manage. */
type Server = { isConnected(): boolean; disconnect(): void };

type Processor = (job: Job<unknown, void>, token: string) => Promise<void>;

function openWorker(
  backend: QueueBackend,
  name: QueueName,
  processor: Processor,
  options: ConsumerOptions,
): { worker: JobWorker; server: Server } {
  const settings = {
    autorun: false,
    concurrency: options.concurrency,
    lockDuration: 15_000,
    stalledInterval: 5_000,
    // By default BullMQ fails a job permanently after two crashes of its worker; here the crash count of the rows
    // decides.
    maxStalledCount: 1_000,
    drainDelay: POLL_SECONDS,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
  const process = (job: Job<unknown, void>, token?: string): Promise<void> => processor(job, token!);
  if (backend.kind === 'postgres') {
    const connection = postgresOptions(backend.url, options.prefix);
    // By default BullMQ blocks for up to an hour while the next delayed job is far away.
    const createBackend: BackendFactory<IQueueBackend> = (queueName, queueOptions) =>
      Object.defineProperty(openPostgresQueue(backend, queueName, connection, queueOptions), 'maximumBlockTimeout', {
        value: POLL_SECONDS,
      });
    const worker = new Worker(name, process, { ...settings, connection: {} }, createBackend) as unknown as JobWorker;
    return { worker, server: { isConnected: () => true, disconnect: () => undefined } };
  }
  const connection = openRedis(backend.url, WAIT_FOR_SERVER, options.counts);
  // BullMQ reports errors while the worker is open. After it is closed, ioredis would print them without this listener.
  connection.on('error', () => undefined);
  const prefix = queuePrefix(options.prefix, name);
  const worker = new Worker(name, process, { ...settings, prefix, connection }) as unknown as JobWorker;
  return {
    worker,
    server: { isConnected: () => connection.status === 'ready', disconnect: () => connection.disconnect() },
  };
}
