import { randomUUID } from 'node:crypto';
import { WorkerHost } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DelayedError, type Job, type Processor, WaitingError, Worker, type WorkerOptions } from 'bullmq';
import { Shares, withTimeout } from '@clarion/contracts/core';
import { CLOSE_TIMEOUT_MS } from './backend';
import { isReadable, itemsOf, type QueueName, type QueuePayloads } from './jobs';
import { BackendQueue, type QueueConnection } from './queue-connection';
import { promote, waitingBefore } from './waiting-places';

const READY_TIMEOUT_MS = 10_000;
/** How long a job of a newer release is delayed, so that a process that can read it gets it. */
const UNREADABLE_DELAY_MS = 30_000;
/** How often a busy worker looks for jobs that go before those that it runs. */
const LOOK_MS = 100;
/** A worker is busy with this part of the jobs that it can run, because those that end free it one after the other. */
const BUSY = 0.7;
/** One of so many jobs that run may be one more than usual. */
const OVERTAKING = 5;
/**
 * A worker whose jobs name more rows than this takes no other job: that one waits in the queue, which knows its place
 * and may give it to another worker.
 */
const MOST_ROWS = 1_000;
/** How long an aborted handler may still run, to release what it holds. */
const ABORT_GRACE_MS = 1_000;

const WORKER_OPTIONS = {
  autorun: false,
  concurrency: 20,
  lockDuration: 15_000,
  stalledInterval: 5_000,
  // By default BullMQ fails a job permanently after two crashes of its worker; here the crash count of the rows
  // decides.
  maxStalledCount: 1_000,
  // The longest time in seconds that an idle worker blocks, in case it missed a notification.
  drainDelay: 5,
  runRetryDelay: 1_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

type GivenOptions = Omit<WorkerOptions, 'connection'> & { connection: QueueConnection };

const rowsOf = ({ data }: Job): number => (isReadable(data) ? itemsOf(data) : 0);

/** A worker on a separate connection to the backend of its queue. Nest makes one for each `@Processor`. */
export class BackendWorker extends Worker<unknown, void> {
  readonly connection: QueueConnection;
  private readonly server;
  private readonly mostJobs: number;
  /** The rows of jobs that were taken and have not ended. */
  private readonly taken = new Map<Job, number>();
  private ending: Promise<void> | undefined;

  constructor(name: QueueName, processor: Processor<unknown, void>, { connection, ...given }: GivenOptions) {
    const { server, options, createBackend } = connection.forWorker(name);
    super(name, processor, { ...WORKER_OPTIONS, ...given, ...options }, createBackend as never);
    this.connection = connection;
    this.server = server;
    this.mostJobs = this.concurrency;
    this.on('error', connection.options.onError);
    this.on('active', (job) => {
      this.taken.set(job, rowsOf(job));
      this.limit();
    });
    this.on('failed', (job, error) => {
      if (job) this.settle(job);
      connection.options.onError(error);
    });
  }

  /** Another job may be taken for the rows of this one. */
  settle(job: Job): void {
    this.taken.delete(job);
    this.limit();
  }

  /** BullMQ compares the number of jobs with this before it takes the next one. */
  private limit(): void {
    const rows = [...this.taken.values()].reduce((sum, count) => sum + count, 0);
    this.concurrency = rows > MOST_ROWS ? 1 : this.mostJobs;
  }

  /** Takes the first job now and runs it, also if as many as possible are running. */
  async runNext(): Promise<void> {
    const token = randomUUID();
    const job = await this.getNextJob(token, { block: false });
    if (job) await this.processJob(job, token, () => false);
  }

  /** BullMQ reports the last jobs to the server. Without a connection it would wait forever. */
  override close(): Promise<void> {
    const end = async (): Promise<void> => {
      const closed = super.close(!this.server.isConnected());
      await withTimeout(closed, CLOSE_TIMEOUT_MS, 'closing the worker').catch(() => void this.getBackend().close(true));
      this.server.disconnect();
    };
    return (this.ending ??= end());
  }
}

export type JobContext = {
  /** Aborted when the process has to end before the handler has finished. */
  signal: AbortSignal;
  /** The place of the job (`placeOf`): what it brings waits in the memory of the process in this order too. */
  place: number;
};

/** `end` completes the job of a handler that ignores its abort signal. */
type Running = { controller: AbortController; place: number; rows: number; end: () => void };

/**
 * Takes the jobs of one queue; `@Processor` names it. The rows are the truth: an error of the handler is reported and
 * its job dropped, because the sweeper offers rows again that made no progress. The same holds for a job whose lock is
 * lost, so the handler is not stopped then; the claim on its rows decides what it may still do.
 */
export abstract class QueueProcessor<Q extends QueueName>
  extends WorkerHost<BackendWorker>
  implements OnApplicationBootstrap
{
  private readonly running = new Map<Promise<void>, Running>();
  private stopped = false;
  /** To look at what waits; made when the worker is busy for the first time. */
  private queue?: BackendQueue;
  /** Of the rows of jobs that were taken while as many as possible were running. */
  private readonly shares = new Shares();
  private isSharing = false;
  /** Set while the worker is busy. */
  private nextLook: NodeJS.Timeout | undefined;
  /** By `performance.now()`. A process that has work and makes no progress should end. */
  lastProgressAt = performance.now();

  protected abstract handle(payload: QueuePayloads[Q], context: JobContext): Promise<void>;

  async onApplicationBootstrap(): Promise<void> {
    const { backend, options } = this.worker.connection;
    // On Redis a worker waits for its server indefinitely. On Postgres a worker that fails here never recovers.
    if (backend.kind === 'postgres') await this.waitUntilReady();
    this.worker.run().catch(options.onError);
  }

  private async waitUntilReady(): Promise<void> {
    try {
      await withTimeout(this.worker.waitUntilReady(), READY_TIMEOUT_MS, 'connecting to the queue');
    } catch (error) {
      await this.close(0);
      throw error;
    }
  }

  get active(): number {
    return this.running.size;
  }

  /** The rows that their jobs name. */
  private get rows(): number {
    return [...this.running.values()].reduce((sum, { rows }) => sum + rows, 0);
  }

  async process(job: Job<unknown, void>, token?: string): Promise<void> {
    try {
      await this.processTaken(job, token);
    } finally {
      this.worker.settle(job);
    }
  }

  private async processTaken(job: Job<unknown, void>, token?: string): Promise<void> {
    this.lastProgressAt = performance.now();
    if (this.stopped) {
      await job.moveToWait(token!);
      throw new WaitingError();
    }
    if (!isReadable(job.data)) {
      await job.moveToDelayed(Date.now() + UNREADABLE_DELAY_MS, token!);
      throw new DelayedError();
    }
    const payload = job.data as QueuePayloads[Q];
    const shared = this.share(itemsOf(payload));
    // A job that had the share of its lane has another priority now; its place is the one that it was offered with.
    await this.run(payload, job.opts.priority ?? job.priority);
    // The slot is free when the next job of the share is in front: otherwise fast jobs would be taken past it.
    await shared;
    this.lastProgressAt = performance.now();
  }

  /** The queue gives out its first jobs only. While they fill the worker, the other lanes get their shares too. */
  private async share(rows: number): Promise<void> {
    const { concurrency = 1 } = this.worker.opts;
    if (this.running.size < concurrency - 1 && this.rows + rows <= MOST_ROWS) return;
    this.shares.count(rows);
    const share = this.shares.due;
    if (!share || this.isSharing) return;
    this.isSharing = true;
    // The job may have been taken meanwhile.
    const promoted = await promote(this.openQueue(), share).catch(() => 0);
    if (promoted > 0) this.shares.give(share, promoted);
    else this.shares.skip(share, rows);
    this.isSharing = false;
  }

  /** What goes before the jobs that wait for capacity does not wait for them: a few more than usual run. */
  private async look(): Promise<void> {
    const { concurrency = 1 } = this.worker.opts;
    const few = Math.max(1, Math.floor(concurrency / OVERTAKING));
    const places = [...this.running.values()].map(({ place }) => place).sort((a, b) => a - b);
    const bound = places[few - 1];
    const free = Math.min(few - places.filter((place) => place < bound!).length, concurrency + few - places.length);
    if (bound === undefined || free <= 0) return;
    const waiting = await waitingBefore(this.openQueue(), bound);
    await Promise.all(Array.from({ length: Math.min(waiting, free) }, () => this.worker.runNext()));
  }

  private lookLater(): void {
    const { concurrency = 1 } = this.worker.opts;
    const isBusy = this.running.size >= BUSY * concurrency || this.rows > MOST_ROWS;
    if (this.nextLook || this.stopped || !isBusy) return;
    this.nextLook = setTimeout(() => {
      this.nextLook = undefined;
      void this.look().catch(this.worker.connection.options.onError);
      this.lookLater();
    }, LOOK_MS).unref();
  }

  private openQueue(): BackendQueue {
    return (this.queue ??= new BackendQueue(this.worker.name as Q, this.worker));
  }

  private run(payload: QueuePayloads[Q], place: number): Promise<void> {
    const { onError } = this.worker.connection.options;
    return new Promise((end) => {
      const controller = new AbortController();
      const work = (async () => this.handle(payload, { signal: controller.signal, place }))()
        .catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))))
        .finally(() => {
          this.running.delete(work);
          end();
        });
      this.running.set(work, { controller, place, rows: itemsOf(payload), end });
      this.lookLater();
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
    await this.worker.close();
  }
}
