import { Isolation } from '@clarion/claims';
import type { StepId, TriggerId } from '@clarion/contracts';
import type { BusyQueues } from '@clarion/persistence';
import { NO_TRACING } from '@clarion/platform';
import { FanOut, Sweeper, Timers } from '@clarion/workflow';
import { EndedClaims, type MemoryStore } from '@clarion/testing/memory-store';
import type { SimulationContext } from './context';
import { crashByPoison, isPoisoned } from './poison';
import type { Process } from './process';
import type { Poison } from './scenario';
import type { Consumer, Offers, SimulatedQueue } from './simulated-queue';
import { METRICS, NO_CONTEXTS, NO_EARLIER_STEPS, SILENT_LOG, workflowsOf } from './stubs';

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
  const ended = new EndedClaims();
  return new Timers({
    claims: {
      claimTimers: (ids, mostCrashes) => {
        const taken = ended.take();
        return process.call('claimTimers', () => store.claimTimers(ids, mostCrashes, taken));
      },
      renew: (claimIds) => process.call('renew', () => store.renew(claimIds)),
      end: (claimId) => ended.add(claimId),
      suspects: (ids) => process.call('suspects', () => store.suspectSteps(ids)),
      release: (steps, delayMs) => process.call('release', () => store.releaseSteps(steps, delayMs)),
    },
    outcomes: { record: (outcomes) => process.call('record', () => store.record(outcomes)) },
    digests: {
      join: (requests) => process.call('joinDigests', () => store.joinDigests(requests)),
      close: (steps) => process.call('closeDigests', () => store.closeDigests(steps)),
      collect: (ids, limits) => {
        const poisoned = ids.filter((id) => isPoisoned(store.steps.get(id)!));
        if (poisoned.length > 0) return crashByPoison(process, poisoned);
        return process.call('digestEvents', () => store.digestEvents(ids, limits));
      },
    },
    throttles: { decide: (requests) => process.call('throttle', () => store.throttle(requests)) },
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
  const ended = new EndedClaims();
  return new FanOut({
    store: {
      claim: (ids, mostCrashes) => {
        const taken = ended.take();
        return process.call('claim triggers', () => store.claimTriggers(ids, mostCrashes, taken));
      },
      renew: (claimIds) => process.call('renew', () => store.renew(claimIds)),
      end: (claimId) => ended.add(claimId),
      abandon: (triggers) => process.call('abandon triggers', () => store.abandon(triggers)),
      suspects: (ids) => process.call('suspects', () => store.suspectTriggers(ids)),
      resolve: (inputs) => process.call('resolve', () => store.resolve(inputs)),
      payloadOf: ({ id }) => process.call('payloadOf', () => store.payloadOf(id)),
      topicMembers: (_, topicKeys, cursor, excluded) =>
        process.call('topicMembers', () => store.topicMembers(topicKeys, cursor, excluded)),
      subscribers: (_, cursor, excluded) => process.call('subscribers', () => store.subscribers(cursor, excluded)),
      commit: (page) => process.call('commit', () => store.commit(page)),
      warn: (warnings, detail) => process.call('warn', () => store.warn(warnings, detail)),
      release: (triggers) => process.call('release triggers', () => store.releaseTriggers(triggers)),
      markTriggered: () => Promise.resolve(),
    },
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
