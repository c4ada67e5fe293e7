import { groupBy, isChannelStepType, type StepId, type StepType, type TriggerId } from '@clarion/contracts/core';
import { deliveryQueue, itemsOf, type QueueName, type StepsJob } from './jobs';
import type { JobOffer, OfferOptions, QueueLoad, QueueProducer } from './producer';

/** `lapsed`: the last holder of the row crashed. It has waited for the end of a lease, so its job is taken first. */
type Offered<RowId extends string> = { id: RowId; environmentId: string; lapsed?: boolean };
type OfferedStep = Offered<StepId> & { type: StepType };

/** The maximum number of rows that one job names. */
const JOB_SIZE = 100;

/** The queue of the channel worker or of the engine that runs the step. */
const queueOf = (type: StepType): Exclude<QueueName, 'trigger'> =>
  isChannelStepType(type) ? deliveryQueue(type) : 'timer';

/**
 * Offers due rows to the queues. A job names many rows, all of one environment, so that the jobs of a noisy environment
 * can be rejected. Nothing here waits or fails: the sweeper finds rows whose job was not added.
 */
export class StepOffers {
  constructor(
    private readonly producer: QueueProducer,
    /** `granted` for the sweeper, which has chosen fairly already; other producers ask for admission. */
    private readonly admission: 'asked' | 'granted' = 'asked',
  ) {}

  triggers(triggers: Offered<TriggerId>[]): void {
    void this.producer.enqueueMany(this.triggerJobs(triggers));
  }

  steps(steps: OfferedStep[]): void {
    void this.producer.enqueueMany(this.stepJobs(steps));
  }

  /** Offers rows of any type and waits for the queue. Returns the number of rows whose job was added. */
  async all(rows: (Offered<TriggerId | StepId> & { type: StepType })[]): Promise<number> {
    const jobs = [
      ...this.triggerJobs(rows.filter(({ type }) => type === 'trigger') as Offered<TriggerId>[]),
      ...this.stepJobs(rows.filter(({ type }) => type !== 'trigger') as OfferedStep[]),
    ];
    const isAdded = await this.producer.enqueueMany(jobs);
    return jobs.reduce((sum, { payload }, at) => sum + (isAdded[at] ? itemsOf(payload) : 0), 0);
  }

  private triggerJobs(triggers: Offered<TriggerId>[]): JobOffer[] {
    const jobs: JobOffer[] = [];
    for (const rows of byOwner(triggers)) {
      for (const triggerIds of inJobs(rows))
        jobs.push({ name: 'trigger', payload: { v: 1, triggerIds }, ...this.optionsOf(rows[0]!) });
    }
    return jobs;
  }

  private stepJobs(steps: OfferedStep[]): JobOffer[] {
    const jobs: JobOffer[] = [];
    for (const rows of groupBy(steps, ({ type }) => queueOf(type)).values()) {
      const name = queueOf(rows[0]!.type);
      for (const own of byOwner(rows)) {
        for (const stepIds of inJobs(own)) {
          const payload: StepsJob = { v: 1, stepIds, ...(own[0]!.lapsed && { lapsed: true }) };
          jobs.push({ name, payload, ...this.optionsOf(own[0]!) });
        }
      }
    }
    return jobs;
  }

  /** Adds a delayed job, which wakes the consumer when the step is due. */
  alarm({ id, type }: OfferedStep, delayMs: number): void {
    void this.producer.enqueue(queueOf(type), { v: 1, stepIds: [id] }, { delayMs: Math.ceil(delayMs) });
  }

  /** Those of these types whose queue has jobs, with the time when its oldest job was added if the queue is long. */
  async busyQueues(types: StepType[]): Promise<Map<StepType, Date | undefined>> {
    const busy = new Map<StepType, Date | undefined>();
    const read = new Map<QueueName, QueueLoad>();
    for (const type of types) {
      const name = queueOfRows(type);
      const load = read.get(name) ?? (await this.producer.loadOf(name));
      read.set(name, load);
      if (load.hasJobs) busy.set(type, load.oldestJobAt);
    }
    return busy;
  }

  private optionsOf({ environmentId, lapsed = false }: Offered<string>): OfferOptions {
    return { ...(this.admission === 'asked' ? { environmentId } : { isGranted: true }), goesFirst: lapsed };
  }
}

/** The rows of each environment, those that go first apart from the others. */
const byOwner = <T extends Offered<string>>(rows: T[]): Iterable<T[]> =>
  groupBy(rows, ({ environmentId, lapsed = false }) => `${environmentId} ${lapsed}`).values();

function* inJobs<RowId extends string>(rows: Offered<RowId>[]): Generator<RowId[]> {
  for (let at = 0; at < rows.length; at += JOB_SIZE) yield rows.slice(at, at + JOB_SIZE).map(({ id }) => id);
}

/** The queue whose jobs name the rows of this type. */
export const queueOfRows = (type: StepType): QueueName => (type === 'trigger' ? type : queueOf(type));
