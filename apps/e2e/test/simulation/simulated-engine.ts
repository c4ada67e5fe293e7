import { Isolation } from '@clarion/claims';
import type { StepId, TriggerId } from '@clarion/contracts';
import type { BusyQueues } from '@clarion/persistence';
import { NO_TRACING } from '@clarion/platform';
import { FanOut, Sweeper, Timers } from '@clarion/workflow';
import { type MemoryStore, storePorts } from '@clarion/testing/memory-store';
import type { SimulationContext } from './context';
import { crashByPoison, isPoisoned } from './poison';
import type { Process } from './process';
import type { Poison } from './scenario';
import type { Consumer, Offers, SimulatedQueue } from './simulated-queue';
import { callsOf, METRICS, NO_CONTEXTS, NO_EARLIER_STEPS, SILENT_LOG, workflowsOf } from './stubs';

export type Engine = Consumer & { sweeper: Sweeper };

/** The real fan-out, timers and sweeper over the in-memory store. */
export function makeEngine(process: Process, { store, scenario }: SimulationContext, queue: SimulatedQueue): Engine {
  const offers = queue.offers();
  const workflows = workflowsOf(process, scenario);
  const pause = (milliseconds: number): Promise<void> => process.pause(milliseconds);
  const isolation = new Isolation(() => Promise.race([fanOut.settled(), pause(5_000)]), pause);
  const timers = makeTimers(process, store, workflows, offers, isolation);
  const fanOut: FanOut = makeFanOut(process, store, workflows, offers, isolation, (ids) => timers.runWithin(ids));
  const sweeper = new Sweeper({
    store: {
      overdueTypes: () => process.call('overdueTypes', () => store.overdueTypes()),
      offerTriggers: (limit, cap, busyQueues) =>
        process.call('offerTriggers', () => store.offerTriggers(limit, cap, busyQueues)),
      offerSteps: (limit, cap, busyQueues) =>
        process.call('offerSteps', () => store.offerSteps(limit, cap, busyQueues)),
      releaseWaiting: () => process.call('releaseWaiting', () => store.releaseWaiting()),
      endSweep: () => Promise.resolve(),
    },
    offers,
    queues: {
      busyQueues: (types) =>
        process.call('busyQueues', () => queue.busyQueues(types)).catch((): BusyQueues => new Map()),
    },
    unsnooze: () => Promise.resolve(0),
    releaseHeld: () => Promise.resolve(0),
    metrics: METRICS,
    log: SILENT_LOG,
  });
  return {
    process,
    sweeper,
    queues: new Map([
      ['trigger', (ids) => fanOut.run(ids as TriggerId[])],
      ['timer', (ids) => timers.run(ids as StepId[])],
    ]),
  };
}

type Workflows = ReturnType<typeof workflowsOf>;

function makeTimers(
  process: Process,
  store: MemoryStore,
  workflows: Workflows,
  offers: Offers,
  isolation: Isolation,
): Timers {
  const { claims, outcomes, digests, throttles } = storePorts(store, callsOf(process));
  return new Timers({
    claims,
    outcomes,
    throttles,
    digests: {
      ...digests,
      collect: (ids, limits) => {
        const poisoned = ids.filter((id) => isPoisoned(store.steps.get(id)!));
        return poisoned.length > 0 ? crashByPoison(process, poisoned) : digests.collect(ids, limits);
      },
    },
    workflows,
    surroundings: NO_CONTEXTS,
    earlierSteps: NO_EARLIER_STEPS,
    templates: {
      overBudget: () => undefined,
      renderMany: (items) => {
        const poisoned = items.filter(({ controls, variables }) => {
          const { poison } = variables['payload'] as { poison?: Poison };
          return poison?.at === 'queued' && poison.stepKey === controls['stepKey'];
        });
        if (poisoned.length > 0) return crashByPoison(process, []);
        return Promise.resolve(items.map(({ controls }) => ({ ok: true, controls })));
      },
    },
    offers,
    pause: (milliseconds) => process.pause(milliseconds),
    isolation,
    tracing: NO_TRACING,
    metrics: METRICS,
    log: SILENT_LOG,
  });
}

function makeFanOut(
  process: Process,
  store: MemoryStore,
  workflows: Workflows,
  offers: Offers,
  isolation: Isolation,
  runTimers: (ids: StepId[]) => Promise<void>,
): FanOut {
  return new FanOut({
    store: storePorts(store, callsOf(process)).fanOut,
    workflows,
    contexts: {
      ensureMany: (rows) => {
        if (rows.some(({ type }) => type === 'poison')) return crashByPoison(process, []);
        return Promise.resolve();
      },
    },
    channels: { save: () => Promise.resolve([]) },
    offers,
    runTimers,
    newId: process.newId,
    now: () => new Date(process.clock()),
    pause: (milliseconds) => process.pause(milliseconds),
    isolation,
    tracing: NO_TRACING,
    metrics: METRICS,
    log: SILENT_LOG,
  });
}
