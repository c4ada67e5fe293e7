import { withTimeout } from '@clarion/contracts/core';
import { SHALLOW_JOBS, type Verdict } from './admission';
import type { QueueBackend, QueueOptions } from './backend';
import { PRODUCER_TIMEOUT_MS } from './redis-connections';
import { itemsOf, type QueueName, type QueuePayloads } from './jobs';
import { openQueues, QueueConnection, type Queues } from './queue-connection';

/** So long after a rejection the sweeper does not trust the queue to have a job for each row. */
const REJECTED_MS = 10_000;

export type OfferOptions = {
  /** The job becomes visible after this delay, when the row is due. */
  delayMs?: number;
  /**
   * The environment of the rows: a noisy environment is kept out of a deep queue, and the others go before it. Without
   * it the job is always added, in turn.
   */
  environmentId?: string;
  /** The sweeper has chosen the rows. */
  isGranted?: boolean;
  /** The job is taken before those that wait already. */
  goesFirst?: boolean;
};

export type JobOffer = { [Q in QueueName]: { name: Q; payload: QueuePayloads[Q] } & OfferOptions }[QueueName];

/**
 * Whether the queue has jobs, waiting or taken, and surely one for every offered row. For a long queue also when its
 * oldest waiting job was added.
 */
export type QueueLoad = { hasJobs: boolean; oldestJobAt?: Date };

/**
 * As if a job waited for every row: an offer would fail, but the row would count as offered and wait for longer. The
 * rows are offered as soon as the queue backend answers again.
 */
const UNREACHABLE: QueueLoad = { hasJobs: true, oldestJobAt: new Date(0) };

/**
 * The only class that adds jobs. Callers have already committed the rows, so a job that is not added loses nothing:
 * failures are counted and reported to `onError`, and the sweeper offers the rows again.
 */
export class QueueProducer {
  /** Jobs that could not be added since this process started. */
  failedAdds = 0;
  /** Jobs that were not admitted to a deep queue because their environment is noisy. */
  heldBack = 0;

  readonly backend: QueueBackend;
  private readonly options: QueueOptions;

  constructor(
    private readonly connection: QueueConnection,
    private readonly queues: Queues = openQueues(connection),
  ) {
    this.backend = connection.backend;
    this.options = connection.options;
  }

  /** A producer with a new connection, for a program that is no Nest application. */
  static async open(backend: QueueBackend, options: QueueOptions): Promise<QueueProducer> {
    return new QueueProducer(await QueueConnection.open(backend, options));
  }

  get prefix(): string {
    return this.options.prefix;
  }

  /** Whether jobs can be added now, as far as the connection knows. */
  get isConnected(): boolean {
    return this.connection.isConnected;
  }

  /** Never rejects and never takes longer than the producer's timeout. Resolves with true when the job was added. */
  async enqueue<Q extends QueueName>(name: Q, payload: QueuePayloads[Q], options?: OfferOptions): Promise<boolean> {
    const [offered] = await this.enqueueMany([{ name, payload, ...options } as JobOffer]);
    return offered!;
  }

  /** As `enqueue`, with one round trip per queue. Resolves with one result per job, in order. */
  async enqueueMany(offers: JobOffer[]): Promise<boolean[]> {
    const byQueue = new Map<QueueName, JobOffer[]>();
    const admitted = offers.map((offer) => {
      const { name, payload, environmentId, isGranted = false } = offer;
      if (isGranted) this.connection.admission.grant(name, itemsOf(payload));
      const verdict = environmentId === undefined ? 'in turn' : this.admit(name, environmentId, itemsOf(payload));
      if (verdict === 'rejected') return undefined;
      const job = verdict === 'first' ? { ...offer, goesFirst: true } : offer;
      const jobs = byQueue.get(name);
      if (jobs) jobs.push(job);
      else byQueue.set(name, [job]);
      return job;
    });
    const reached = new Set<JobOffer>();
    await Promise.all(
      [...byQueue].map(async ([name, jobs]) => {
        if (await this.add(name, jobs)) for (const job of jobs) reached.add(job);
      }),
    );
    return admitted.map((job) => job !== undefined && reached.has(job));
  }

  /**
   * Whether and where this many rows of an environment may be offered now. A caller whose job names rows of several
   * environments asks for each of them and adds the job without an environment.
   */
  admit(name: QueueName, environmentId: string, items: number): Verdict {
    const verdict = this.connection.admission.admit(
      name,
      environmentId,
      items,
      this.options.organizationOf?.(environmentId),
    );
    if (verdict === 'rejected') {
      this.heldBack += 1;
      this.connection.rejectedAt.set(name, performance.now());
    }
    if (this.connection.admission.wantsDepth(name)) void this.readDepth(name);
    return verdict;
  }

  private async add(name: QueueName, offers: JobOffer[]): Promise<boolean> {
    try {
      // BullMQ would keep the jobs in memory until the server is back; the rows are a safer place to wait.
      if (!this.isConnected) throw new Error(`the ${name} queue is not connected`);
      const jobs = offers.map(({ payload, delayMs, goesFirst }) => ({
        name,
        data: goesFirst ? { ...payload, goesFirst } : payload,
        opts: { delay: delayMs, ...(goesFirst && { lifo: true }) },
      }));
      const added = this.queues[name].addBulk(jobs);
      await withTimeout(added, PRODUCER_TIMEOUT_MS, `adding jobs to the ${name} queue`);
      return true;
    } catch (error) {
      this.failedAdds += offers.length;
      this.options.counts?.countFailedAdds(offers.length);
      this.report(error);
      return false;
    }
  }

  private async readDepth(name: QueueName): Promise<void> {
    try {
      if (!this.isConnected) return;
      const waiting = await this.waitingCount(name);
      this.connection.admission.observe(name, waiting);
    } catch (error) {
      this.report(error);
    }
  }

  /** What waits in the queue. */
  async loadOf(name: QueueName): Promise<QueueLoad> {
    try {
      if (!this.isConnected) return UNREACHABLE;
      const counts = this.queues[name].getJobCounts('waiting', 'active');
      const { waiting = 0, active = 0 } = await withTimeout(
        counts,
        PRODUCER_TIMEOUT_MS,
        `counting the jobs of the ${name} queue`,
      );
      this.connection.admission.observe(name, waiting);
      if (waiting < SHALLOW_JOBS) return { hasJobs: waiting + active > 0 && !this.hasRejected(name) };
      const oldest = this.oldestJob(name, waiting);
      const job = await withTimeout(oldest, PRODUCER_TIMEOUT_MS, `reading the oldest job of the ${name} queue`);
      return { hasJobs: true, ...(job && { oldestJobAt: new Date(job.timestamp) }) };
    } catch (error) {
      this.report(error);
      return UNREACHABLE;
    }
  }

  /**
   * On Postgres BullMQ counts the jobs from the newest one, also where it returns the oldest first. Consumers take jobs
   * meanwhile, so the range begins some jobs before the end of the queue.
   */
  private async oldestJob(name: QueueName, waiting: number): Promise<{ timestamp: number } | undefined> {
    const queue = this.queues[name];
    const [start, end] = this.backend.kind === 'postgres' ? [waiting - SHALLOW_JOBS, -1] : [0, 0];
    const [oldest] = await queue.getRanges(['waiting'], start, end, true);
    return oldest === undefined ? undefined : queue.getJob(oldest);
  }

  /**
   * Whether rows may be due that got no job because their environment is noisy. Gateways also reject triggers, which
   * this process does not know.
   */
  private hasRejected(name: QueueName): boolean {
    return name === 'trigger' || performance.now() - (this.connection.rejectedAt.get(name) ?? -Infinity) < REJECTED_MS;
  }

  /** Whether the queue backend answers at all. While it does not, a consumer without jobs is not considered stuck. */
  async answers(): Promise<boolean> {
    try {
      await this.waitingCount('trigger');
      return true;
    } catch {
      return false;
    }
  }

  private waitingCount(name: QueueName): Promise<number> {
    const count = this.queues[name].getWaitingCount();
    return withTimeout(count, PRODUCER_TIMEOUT_MS, `counting the jobs of the ${name} queue`);
  }

  private report(error: unknown): void {
    this.options.onError(error instanceof Error ? error : new Error(String(error)));
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
