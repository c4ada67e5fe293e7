import {
  groupBy,
  isChannelStepType,
  type Lane,
  placeOf,
  type StepId,
  type StepType,
  type TriggerId,
} from '@clarion/contracts/core';
import { deliveryQueue, itemsOf, type QueueName, type StepsJob } from './jobs';
import type { JobOffer, QueueLoad, QueueProducer } from './producer';

/** `lapsed`: the last holder of the row crashed. It has waited for the end of a lease, so it is first in its lane. */
type Offered<RowId extends string> = { id: RowId; environmentId: string; lane: Lane; lapsed?: boolean };
type OfferedStep = Offered<StepId> & { type: StepType };

/** The maximum number of rows that one job names. */
const JOB_SIZE = 100;

/** The queue of the channel worker or of the engine that runs the step. */
const queueOf = (type: StepType): Exclude<QueueName, 'trigger'> =>
  isChannelStepType(type) ? deliveryQueue(type) : 'timer';

/** Nothing here waits or fails: the sweeper finds rows whose job was not added. */
export class StepOffers {
  constructor(private readonly producer: QueueProducer) {}

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
      for (const triggerIds of inJobs(rows)) {
        const place = this.placeOf('trigger', rows[0]!, triggerIds.length);
        jobs.push({ name: 'trigger', payload: { v: 1, triggerIds }, place });
      }
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
          jobs.push({ name, payload, place: this.placeOf(name, own[0]!, stepIds.length) });
        }
      }
    }
    return jobs;
  }

  /** Adds a delayed job, which wakes the consumer when the step is due. */
  alarm(step: OfferedStep, delayMs: number): void {
    const name = queueOf(step.type);
    const options = { delayMs: Math.ceil(delayMs), place: this.placeOf(name, step, 1) };
    void this.producer.enqueue(name, { v: 1, stepIds: [step.id] }, options);
  }

  /** Those of these types whose queue has jobs, with the times of the oldest jobs of each lane if the queue is long. */
  async busyQueues(types: StepType[]): Promise<Map<StepType, QueueLoad>> {
    const busy = new Map<StepType, QueueLoad>();
    const read = new Map<QueueName, QueueLoad>();
    for (const type of types) {
      const name = queueOfRows(type);
      const load = read.get(name) ?? (await this.producer.loadOf(name));
      read.set(name, load);
      if (load.hasJobs) busy.set(type, load);
    }
    return busy;
  }

  private placeOf(name: QueueName, { environmentId, lane, lapsed }: Offered<string>, items: number): number {
    return lapsed ? placeOf(lane) : this.producer.placeOf(name, lane, environmentId, items);
  }
}

/** The rows of each environment and lane, those whose holder crashed apart from the others. */
const byOwner = <T extends Offered<string>>(rows: T[]): Iterable<T[]> =>
  groupBy(rows, ({ environmentId, lane, lapsed = false }) => `${environmentId} ${lane} ${lapsed}`).values();

function* inJobs<RowId extends string>(rows: Offered<RowId>[]): Generator<RowId[]> {
  for (let at = 0; at < rows.length; at += JOB_SIZE) yield rows.slice(at, at + JOB_SIZE).map(({ id }) => id);
}

/** The queue whose jobs name the rows of this type. */
export const queueOfRows = (type: StepType): QueueName => (type === 'trigger' ? type : queueOf(type));
