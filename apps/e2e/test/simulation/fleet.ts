import type { Channel } from '@clarion/contracts';
import { ignore, isCalm, type SimulationContext } from './context';
import { type Faults, NO_FAULTS, Process } from './process';
import { CHANNELS_USED } from './scenario';
import { type Engine, makeEngine } from './simulated-engine';
import { SimulatedProvider } from './simulated-provider';
import { type Offers, SimulatedQueue } from './simulated-queue';
import { makeWorker, type Worker } from './simulated-worker';

type Role = 'engine' | Channel;

const DRAIN_MS = 20_000;

/** The running engines and workers. A process that ends is replaced after a while. */
export class Fleet {
  /** In the order in which they started: the random choice of a process depends on it. */
  private running: (Engine | Worker)[] = [];
  private started = 0;
  private readonly queue: SimulatedQueue;
  private readonly provider: SimulatedProvider;

  constructor(private readonly context: SimulationContext) {
    const { world, scenario } = context;
    this.queue = new SimulatedQueue(context, () => this.running);
    this.provider = new SimulatedProvider(context);
    for (let i = 0; i < scenario.processes.engines; i += 1) this.start('engine');
    for (const channel of CHANNELS_USED) {
      for (let i = 0; i < scenario.processes.workers; i += 1) this.start(channel);
    }
    for (const afterMs of scenario.queueEmptiedAfterMs) world.after(afterMs, () => this.queue.empty());
    const { outage } = scenario;
    if (outage) world.after(outage.afterMs, () => world.letDatabaseBeAway(outage.forMs));
    for (const afterMs of scenario.workerStopsAfterMs) world.after(afterMs, () => void this.stopWorker().catch(ignore));
  }

  offers(): Offers {
    return this.queue.offers();
  }

  /** Lets one engine sweep; without an engine that is awake, nothing happens. */
  sweep(): void {
    const engines = this.running.filter((running) => 'sweeper' in running).filter(({ process }) => process.isAwake);
    if (engines.length > 0) void this.context.world.random.pick(engines).sweeper.sweep().catch(ignore);
  }

  private start(role: Role): void {
    const { world, scenario } = this.context;
    const skewMs = Math.round((world.random.next() * 2 - 1) * scenario.skewMs);
    const name = `${role.slice(0, 1)}${(this.started += 1)}`;
    const faults = (): Faults => (isCalm(this.context) ? NO_FAULTS : scenario.faults);
    let endTimers = ignore;
    const process = new Process(name, world, skewMs, faults, () => {
      endTimers();
      this.running = this.running.filter((running) => running.process !== process);
      world.after(world.random.between(100, 20_000), () => this.start(role));
    });
    const { made, end } = world.collectTimers(() =>
      role === 'engine'
        ? makeEngine(process, this.context, this.queue)
        : makeWorker(process, role, this.context, this.queue.offers(), this.provider),
    );
    endTimers = end;
    this.running.push(made);
    world.log(() => `${name} starts`);
  }

  /** Stops a worker as SIGTERM does: it takes no more jobs, releases idle steps and drains for a limited time. */
  private async stopWorker(): Promise<void> {
    const { world } = this.context;
    const workers = this.running.filter((running) => 'pipeline' in running).filter(({ process }) => process.isAwake);
    if (workers.length === 0) return;
    const { process, pipeline, queues } = world.random.pick(workers);
    world.log(() => `${process.name} begins a graceful stop`);
    queues.clear();
    await pipeline.releaseIdle();
    await Promise.race([pipeline.drain(), process.pause(world.random.between(100, DRAIN_MS))]);
    await pipeline.releaseIdle();
    process.stop();
  }
}
