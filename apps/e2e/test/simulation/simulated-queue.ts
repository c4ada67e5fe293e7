import { type Channel, groupBy, type StepType } from '@clarion/contracts/core';
import type { BusyQueues, QueuedStep } from '@clarion/persistence';
import { ignore, isCalm, type SimulationContext } from './context';
import type { Process } from './process';
import { CHANNELS_USED } from './scenario';

export type QueueName = 'trigger' | 'timer' | Channel;

/** A process with the function that runs the jobs of each queue it consumes. */
export type Consumer = { process: Process; queues: Map<QueueName, (ids: string[], lapsed: boolean) => Promise<void>> };

type Offered = QueuedStep & { lapsed?: boolean };
type SimulatedJob = { ids: string[]; lapsed?: boolean };

export type Offers = ReturnType<SimulatedQueue['offers']>;

const NO_QUEUE_FAULTS = { lose: 0, double: 0, late: 0, long: 0 };

/** A queue that loses, duplicates and delays jobs. */
export class SimulatedQueue {
  /** A job of an earlier generation was in the queue when it was emptied. */
  private generation = 0;
  /** When the waiting jobs of each queue were added. */
  private waiting = new Map<QueueName, number[]>();

  constructor(
    private readonly context: SimulationContext,
    private readonly consumers: () => Consumer[],
  ) {}

  offers() {
    return {
      triggers: (triggers: { id: string }[]) => this.enqueue('trigger', { ids: idsOf(triggers) }),
      steps: (steps: Offered[]) => {
        for (const rows of groupBy(steps, ({ type, lapsed = false }) => `${queueOf(type)} ${lapsed}`).values()) {
          const [{ type, lapsed = false }] = rows as [Offered];
          this.enqueue(queueOf(type), { ids: idsOf(rows), lapsed });
        }
      },
      alarm: (step: QueuedStep, delayMs: number) => this.enqueue(queueOf(step.type), { ids: [step.id] }, delayMs),
    };
  }

  /** Removes every job, as a restart of a queue without persistence does. */
  empty(): void {
    this.context.world.log(() => 'the queue is emptied');
    this.generation += 1;
    this.waiting.clear();
  }

  /** Sometimes a queue with a few jobs counts as long. */
  busyQueues(types: StepType[]): BusyQueues {
    const { world, scenario } = this.context;
    const busyQueues: BusyQueues = new Map();
    for (const type of types) {
      const [oldest] = this.waiting.get(type === 'trigger' ? type : queueOf(type)) ?? [];
      if (oldest !== undefined && world.random.chance(scenario.queue.long))
        busyQueues.set(type, { oldest: { 2: new Date(oldest) }, taken: { 2: new Date(oldest) } });
    }
    return busyQueues;
  }

  private enqueue(queue: QueueName, job: SimulatedJob, delayMs = 0): void {
    const { world, scenario } = this.context;
    const { random } = world;
    const { lose, double, late } = isCalm(this.context) ? NO_QUEUE_FAULTS : scenario.queue;
    if (random.chance(lose)) {
      world.count('lost jobs');
      return world.log(() => `the queue loses ${queue} ${job.ids.join(', ')}`);
    }
    const add = (): void => {
      const waitMs = random.between(1, random.chance(late) ? 20_000 : 10);
      if (delayMs > 0) {
        const { generation } = this;
        world.after(delayMs, () => generation === this.generation && this.add(queue, job, waitMs));
      } else this.add(queue, job, waitMs);
    };
    add();
    if (random.chance(double)) add();
  }

  private add(queue: QueueName, job: SimulatedJob, waitMs: number): void {
    const { now } = this.context.world;
    this.waiting.set(queue, [...(this.waiting.get(queue) ?? []), now]);
    this.deliver(queue, job, waitMs, now);
  }

  private deliver(queue: QueueName, job: SimulatedJob, waitMs: number, addedAt: number): void {
    const { generation } = this;
    const { world } = this.context;
    world.after(waitMs, () => {
      if (generation !== this.generation) return;
      const consumers = this.consumers().filter(({ process, queues }) => process.isAwake && queues.has(queue));
      if (consumers.length === 0) return this.deliver(queue, job, 1_000, addedAt);
      const waiting = this.waiting.get(queue)!;
      waiting.splice(waiting.indexOf(addedAt), 1);
      const { process, queues } = world.random.pick(consumers);
      world.log(() => `${process.name} takes ${queue} ${job.ids.join(', ')}`);
      void queues.get(queue)!(job.ids, job.lapsed === true).catch(ignore);
    });
  }
}

const queueOf = (type: string): QueueName =>
  (CHANNELS_USED as readonly string[]).includes(type) ? (type as Channel) : 'timer';

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
