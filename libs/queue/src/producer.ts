import { withTimeout } from '@clarion/contracts/core';
import { Admission } from './admission';
import {
  type QueueOptions,
  type OpenQueues,
  openQueues,
  prepareBackend,
  PRODUCER_TIMEOUT_MS,
  type QueueBackend,
} from './backend';
import { itemsOf, type QueueName, type QueuePayloads } from './jobs';

const READY_TIMEOUT_MS = 2_000;

export type OfferOptions = {
  /** The alarm clock of a row that is due later. */
  delayMs?: number;
  /** Whose work this is: a noisy environment is kept out of a deep queue. Without it (the sweeper) the offer always goes in. */
  environmentId?: string;
};

export type JobOffer = { [Q in QueueName]: { name: Q; payload: QueuePayloads[Q] } & OfferOptions }[QueueName];

/**
 * The only hand that puts jobs into the queue. Callers have already committed the rows, so a job that is not offered loses
 * nothing: failures are counted and reported through `onError`, and the sweeper offers the rows again.
 */
export class QueueProducer {
  private readonly admission = new Admission();
  /** Jobs that did not reach the queue since this process started. */
  failedAdds = 0;
  /** Jobs that were kept out of a deep queue because their environment is noisy. */
  heldBack = 0;

  private constructor(
    readonly backend: QueueBackend,
    private readonly queues: OpenQueues,
    private readonly options: QueueOptions,
  ) {}

  static async open(backend: QueueBackend, options: QueueOptions): Promise<QueueProducer> {
    await prepareBackend(backend, options);
    const queues = openQueues(backend, options);
    // A queue that is away now is no reason not to start: adds fail and are counted until it is back.
    await withTimeout(queues.waitUntilReady(), READY_TIMEOUT_MS, 'connecting to the queue').catch(options.onError);
    return new QueueProducer(backend, queues, options);
  }

  /** Never throws and never takes longer than the producer's timeout. True when the queue has the job. */
  async enqueue<Q extends QueueName>(name: Q, payload: QueuePayloads[Q], options?: OfferOptions): Promise<boolean> {
    const [offered] = await this.enqueueMany([{ name, payload, ...options } as JobOffer]);
    return offered!;
  }

  /** As `enqueue`, in one round trip for each queue; says for each job whether the queue has it. */
  async enqueueMany(offers: JobOffer[]): Promise<boolean[]> {
    const byQueue = new Map<QueueName, JobOffer[]>();
    for (const offer of offers) {
      if (!this.admits(offer)) continue;
      const jobs = byQueue.get(offer.name);
      if (jobs) jobs.push(offer);
      else byQueue.set(offer.name, [offer]);
    }
    const reached = new Set<JobOffer>();
    await Promise.all(
      [...byQueue].map(async ([name, jobs]) => {
        if (await this.add(name, jobs)) for (const job of jobs) reached.add(job);
      }),
    );
    return offers.map((offer) => reached.has(offer));
  }

  private admits({ name, payload, environmentId }: JobOffer): boolean {
    if (environmentId === undefined) return true;
    const admitted = this.admission.admits(name, environmentId, itemsOf(payload));
    if (!admitted) this.heldBack += 1;
    if (this.admission.wantsLook(name)) void this.lookAt(name);
    return admitted;
  }

  private async add(name: QueueName, offers: JobOffer[]): Promise<boolean> {
    try {
      // BullMQ would keep the jobs in memory until the server is back; the rows are a better place to wait.
      if (!this.queues.isConnected()) throw new Error(`the ${name} queue is not connected`);
      const jobs = offers.map(({ payload, delayMs }) => ({ name, data: payload, opts: { delay: delayMs } }));
      const added = this.queues.queue(name).addBulk(jobs);
      await withTimeout(added, PRODUCER_TIMEOUT_MS, `adding jobs to the ${name} queue`);
      return true;
    } catch (error) {
      this.failedAdds += offers.length;
      this.options.counts?.countFailedAdds(offers.length);
      this.report(error);
      return false;
    }
  }

  private async lookAt(name: QueueName): Promise<void> {
    try {
      if (!this.queues.isConnected()) return;
      const waiting = await this.waitingCount(name);
      this.admission.observe(name, waiting);
    } catch (error) {
      this.report(error);
    }
  }

  /** Whether the queue answers at all: without it nobody can be blamed for taking no jobs. */
  async answers(): Promise<boolean> {
    try {
      await this.waitingCount('trigger');
      return true;
    } catch {
      return false;
    }
  }

  private waitingCount(name: QueueName): Promise<number> {
    const count = this.queues.queue(name).getWaitingCount();
    return withTimeout(count, PRODUCER_TIMEOUT_MS, `counting the jobs of the ${name} queue`);
  }

  private report(error: unknown): void {
    this.options.onError(error instanceof Error ? error : new Error(String(error)));
  }

  close(): Promise<void> {
    return this.queues.close();
  }
}
