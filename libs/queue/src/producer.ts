import { groupBy, type Lane, NORMAL_LANE, placeOf, withTimeout } from '@clarion/contracts/core';
import { type QueueBackend, type QueueOptions, waitFactorOf } from './backend';
import { PRODUCER_TIMEOUT_MS } from './redis-connections';
import { QUEUE_NAMES, type QueueName, type QueuePayloads } from './jobs';
import { openQueues, QueueConnection, type Queues } from './queue-connection';
import { type LaneTimes, RecentTimes } from './recent-times';
import { firstTaken, oldestJobs } from './waiting-places';

/** In a queue with fewer waiting jobs than this, no job waits for long. */
const LONG_QUEUE = 10;
/** How long the rows of a job may wait in the memory of the process that took it from a long queue. */
const TAKEN_MS = 5_000;
/** The same for the oldest job in work. After its lock it may be a job of a dead process. */
const HELD_MS = 15_000;
/** A job is added after its rows are committed, which are due from the beginning of their statement on. */
const COMMIT_MS = 1_000;

export type OfferOptions = {
  /** The job becomes visible after this delay, when the row is due. */
  delayMs?: number;
  /** Who goes first (`placeOf`); absent: first in the normal lane. */
  place?: number;
};

export type JobOffer = { [Q in QueueName]: { name: Q; payload: QueuePayloads[Q] } & OfferOptions }[QueueName];

/**
 * Whether the queue has jobs, waiting or taken. `oldest`: of a long queue, since when the rows of the oldest waiting
 * job of each lane are due. `taken`: the same for the oldest job that waits, waited a few seconds ago, or was taken
 * before the others that processes work on. The jobs of rows from then on wait in the queue or in the memory of a
 * process.
 */
export type QueueLoad = { hasJobs: boolean; oldest: LaneTimes; taken: LaneTimes };

const dueSince = (added: LaneTimes): LaneTimes =>
  Object.fromEntries(Object.entries(added).map(([lane, time]) => [lane, new Date(time.getTime() - COMMIT_MS)]));

const LONG_AGO = new Date(0);
/** As if jobs waited: an offer would fail, but the row would count as offered and wait for longer. */
const UNREACHABLE: QueueLoad = { hasJobs: true, oldest: { 1: LONG_AGO, 2: LONG_AGO, 3: LONG_AGO }, taken: {} };

/** Callers have committed the rows, so a lost job loses nothing: the sweeper offers the rows again. */
export class QueueProducer {
  /** Jobs that could not be added since this process started. */
  failedAdds = 0;

  readonly backend: QueueBackend;
  private readonly options: QueueOptions;
  private readonly answerMs: number;
  private readonly heldMs: number;
  private readonly times = Object.fromEntries(QUEUE_NAMES.map((name) => [name, new RecentTimes(TAKEN_MS)])) as Record<
    QueueName,
    RecentTimes
  >;

  constructor(
    private readonly connection: QueueConnection,
    private readonly queues: Queues = openQueues(connection),
  ) {
    this.backend = connection.backend;
    this.options = connection.options;
    const waitFactor = waitFactorOf(connection.backend);
    this.answerMs = PRODUCER_TIMEOUT_MS * waitFactor;
    this.heldMs = HELD_MS * waitFactor;
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
    const isAdded = new Map<QueueName, boolean>();
    await Promise.all(
      [...groupBy(offers, ({ name }) => name).values()].map(async (jobs) => {
        const { name } = jobs[0]!;
        isAdded.set(name, await this.add(name, jobs));
      }),
    );
    return offers.map(({ name }) => isAdded.get(name)!);
  }

  /** The place of this many rows of an environment, which count as offered. */
  placeOf(name: QueueName, lane: Lane, environmentId: string, items: number): number {
    return this.connection.turns.placeOf(
      name,
      lane,
      environmentId,
      items,
      this.options.organizationOf?.(environmentId),
    );
  }

  private async add(name: QueueName, offers: JobOffer[]): Promise<boolean> {
    try {
      // BullMQ would keep the jobs in memory until the server is back; the rows are a safer place to wait.
      if (!this.isConnected) throw new Error(`the ${name} queue is not connected`);
      const jobs = offers.map(({ payload, delayMs, place = placeOf(NORMAL_LANE) }) => ({
        name,
        data: payload,
        opts: { delay: delayMs, priority: place },
      }));
      const added = this.queues[name].addBulk(jobs);
      await withTimeout(added, this.answerMs, `adding jobs to the ${name} queue`);
      return true;
    } catch (error) {
      this.failedAdds += offers.length;
      this.options.counts?.countFailedAdds(offers.length);
      this.report(error);
      return false;
    }
  }

  /** What waits in the queue. */
  async loadOf(name: QueueName): Promise<QueueLoad> {
    try {
      if (!this.isConnected) return UNREACHABLE;
      const queue = this.queues[name];
      const counts = queue.getJobCounts('waiting', 'prioritized', 'active');
      const {
        waiting = 0,
        prioritized = 0,
        active = 0,
      } = await withTimeout(counts, this.answerMs, `counting the jobs of the ${name} queue`);
      if (waiting + prioritized + active === 0) {
        this.times[name].clear();
        return { hasJobs: false, oldest: {}, taken: {} };
      }
      const isLong = waiting + prioritized >= LONG_QUEUE;
      const what = `reading the oldest jobs of the ${name} queue`;
      const reading = Promise.all([isLong ? oldestJobs(queue) : {}, firstTaken(queue, active, this.heldMs)]);
      const [oldest, held] = await withTimeout(reading, this.answerMs, what);
      return { hasJobs: true, oldest: dueSince(oldest), taken: dueSince(this.times[name].add(oldest, held)) };
    } catch (error) {
      this.report(error);
      return UNREACHABLE;
    }
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
    return withTimeout(count, this.answerMs, `counting the jobs of the ${name} queue`);
  }

  private report(error: unknown): void {
    this.options.onError(error instanceof Error ? error : new Error(String(error)));
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
