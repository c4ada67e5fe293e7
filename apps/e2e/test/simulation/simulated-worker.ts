import type { Channel, StepId } from '@clarion/contracts';
import { DeliveryPipeline, IntegrationDirectory, CallPermits, Sender } from '@clarion/delivery';
import type { Integration } from '@clarion/persistence';
import { NO_TRACING } from '@clarion/platform';
import { storePorts } from '@clarion/testing/memory-store';
import { ignore, type SimulationContext } from './context';
import { SECRETS } from './integrations';
import { crashByPoison } from './poison';
import type { Process } from './process';
import { SimulatedChannel } from './simulated-channel';
import type { SimulatedProvider } from './simulated-provider';
import type { Consumer, Offers } from './simulated-queue';
import { callsOf, METRICS, NO_CONTEXTS, NO_EARLIER_STEPS, SILENT_LOG, workflowsOf } from './stubs';

export type Worker = Consumer & { pipeline: DeliveryPipeline };

/** The real delivery pipeline of one channel over the in-memory store. */
export function makeWorker(
  process: Process,
  channel: Channel,
  { world, store, scenario }: SimulationContext,
  offers: Offers,
  provider: SimulatedProvider,
): Worker {
  const integrations = {
    listActive: () => process.call('listActive', () => store.listActive()),
    setHealth: (_: string, id: string, health: Integration['health']) =>
      process.call('setHealth', () => store.setHealth(id, health)),
    sendingSettings: () =>
      Promise.resolve({
        kind: 'production' as const,
        sandboxEmail: null,
        sandboxPhone: null,
        withoutIntegration: 'fail' as const,
        trackOpens: false,
        trackClicks: false,
        oneClickUnsubscribe: false,
      }),
    heldIntegrations: () => Promise.resolve([]),
  };
  const { claims, outcomes } = storePorts(store, callsOf(process));
  const strategy = new SimulatedChannel(channel, {
    send: (stepId, messageId, account) => provider.send(process, stepId, messageId, account),
    poison: (ids) => crashByPoison(process, ids),
  });
  const pipeline = new DeliveryPipeline(strategy, {
    claims,
    outcomes,
    workflows: workflowsOf(process, scenario),
    surroundings: NO_CONTEXTS,
    earlierSteps: NO_EARLIER_STEPS,
    holds: { keep: () => Promise.resolve(), keepWithoutIntegration: () => Promise.resolve() },
    suppressions: { find: () => Promise.resolve([]) },
    integrations: new IntegrationDirectory(integrations, SECRETS, process.clock, ignore, ignore),
    offers,
    pause: (milliseconds) => process.pause(milliseconds),
    realtime: { publish: () => Promise.resolve() },
    sender: new Sender({
      permits: new CallPermits(2, 4),
      rates: { enter: () => Promise.resolve() },
      tokens: { remove: () => Promise.resolve() },
      random: () => world.random.next(),
      now: process.clock,
      metrics: METRICS,
      log: SILENT_LOG,
    }),
    renderTime: { overBudget: () => undefined },
    organizationOf: (environmentId) => environmentId,
    tracing: NO_TRACING,
    metrics: METRICS,
    log: SILENT_LOG,
  });
  const run = (ids: string[], lapsed: boolean): Promise<void> =>
    lapsed ? pipeline.recover(ids as StepId[]) : pipeline.deliver(ids as StepId[]);
  return { process, pipeline, queues: new Map([[channel, run]]) };
}
