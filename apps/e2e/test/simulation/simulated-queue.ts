import type { Channel } from '@clarion/contracts';
import type { QueuedStep } from '@clarion/persistence';
import { ignore, isCalm, type SimulationContext } from './context';
import type { Process } from './process';
import { CHANNELS_USED } from './scenario';

export type QueueName = 'trigger' | 'timer' | Channel;

/** A process with the function that runs the jobs of each queue it consumes. */
export type Consumer = { process: Process; queues: Map<QueueName, (ids: string[]) => Promise<void>> };

export type Offers = ReturnType<SimulatedQueue['offers']>;

const NO_QUEUE_FAULTS = { lose: 0, double: 0, late: 0 };

/** A queue that loses, duplicates and delays jobs. */
export class SimulatedQueue {
  /** A job of an earlier generation was in the queue when it was emptied. */
  private generation = 0;

  constructor(
    private readonly context: SimulationContext,
    private readonly consumers: () => Consumer[],
  ) {}

  offers() {
    return {
      triggers: (triggers: { id: string }[]) => this.enqueue('trigger', idsOf(triggers)),
      steps: (steps: QueuedStep[]) => {
        const queues = new Map<QueueName, QueuedStep[]>();
        for (const step of steps) {
          const queue = queueOf(step.type);
          queues.set(queue, [...(queues.get(queue) ?? []), step]);
        }
        for (const [queue, queued] of queues) this.enqueue(queue, idsOf(queued));
      },
      alarm: (step: QueuedStep, delayMs: number) => this.enqueue(queueOf(step.type), [step.id], delayMs),
    };
  }

  /** Removes every job, as a restart of a queue without persistence does. */
  empty(): void {
    this.context.world.log(() => 'the queue is emptied');
    this.generation += 1;
  }

  private enqueue(queue: QueueName, ids: string[], delayMs = 0): void {
    const { world, scenario } = this.context;
    const { random } = world;
    const { lose, double, late } = isCalm(this.context) ? NO_QUEUE_FAULTS : scenario.queue;
    if (random.chance(lose)) {
      world.count('lost jobs');
      return world.log(() => `the queue loses ${queue} ${ids.join(', ')}`);
    }
    const wait = (): number => delayMs + random.between(1, random.chance(late) ? 20_000 : 10);
    this.deliver(queue, ids, wait());
    if (random.chance(double)) this.deliver(queue, ids, wait());
  }

  private deliver(queue: QueueName, ids: string[], waitMs: number): void {
    const { generation } = this;
    const { world } = this.context;
    world.after(waitMs, () => {
      if (generation !== this.generation) return;
      const consumers = this.consumers().filter(({ process, queues }) => process.isAwake && queues.has(queue));
      if (consumers.length === 0) return this.deliver(queue, ids, 1_000);
      const { process, queues } = world.random.pick(consumers);
      world.log(() => `${process.name} takes ${queue} ${ids.join(', ')}`);
      void queues.get(queue)!(ids).catch(ignore);
    });
  }
}

const queueOf = (type: string): QueueName =>
  (CHANNELS_USED as readonly string[]).includes(type) ? (type as Channel) : 'timer';

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
