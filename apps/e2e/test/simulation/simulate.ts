import type { TriggerId } from '@clarion/contracts/core';
import { describeProvider } from '@clarion/providers';
import { BEGIN, MemoryStore, Random, Witness, World } from '@clarion/testing/memory-store';
import { check } from './checker';
import { Fleet } from './fleet';
import { makeIntegrations, SUBSTITUTE } from './integrations';
import { makeScenario } from './scenario';

export type Run = {
  seed: number;
  problems: string[];
  /** One line for each event; empty unless `tracing` is set. */
  trace: string;
  coverage: Coverage;
};

/** How often a run reached each outcome and fault. A simulation that never has a crash proves nothing. */
export type Coverage = Record<string, number>;

const SWEEP_MS = 1_000;
const MAX_EVENTS = 40_000;

/**
 * Runs one scenario from the accepted triggers until no work is left. The seed determines the scenario, every fault and
 * the order of all events.
 */
export async function simulate(
  seed: number,
  { Store = MemoryStore, tracing = false }: { Store?: typeof MemoryStore; tracing?: boolean } = {},
): Promise<Run> {
  const random = new Random(seed);
  const scenario = makeScenario(random, new Random(-seed));
  const world = new World(random, tracing);
  const witness = new Witness(world);
  const store = new Store(world, witness, scenario.subscriberIds, scenario.subscriptions, makeIntegrations(scenario));
  store.race = scenario.claimRace;
  const restoreTimers = world.replaceTimers();
  try {
    const fleet = new Fleet({ world, store, witness, scenario });
    for (const [index, trigger] of scenario.triggers.entries()) {
      world.after(trigger.afterMs, () => {
        const id = `trigger${index}` as TriggerId;
        world.log(() => `${id} is accepted: ${JSON.stringify(trigger)}`);
        store.accept({ id, ...trigger });
        fleet.offers().triggers([{ id }]);
        if (trigger.cancelAfterMs === undefined) return;
        world.after(trigger.cancelAfterMs, () => {
          world.log(() => `${trigger.transactionId} is canceled`);
          store.cancel(trigger.transactionId);
        });
      });
    }
    const ended = await world.run(...sweeping(world, store, fleet), MAX_EVENTS);
    if (!ended) witness.problem('the simulation did not end');
    check(store, witness, scenario);
  } finally {
    restoreTimers();
  }
  return { seed, problems: witness.problems, trace: world.trace, coverage: summary(store, witness, world) };
}

/** When the next sweep is useful, and the sweep: at most one in a second, and none while no row is due. */
function sweeping(world: World, store: MemoryStore, fleet: Fleet): [() => number, () => void] {
  let notBefore = BEGIN;
  let version = -1;
  let offerAt = Infinity;
  const next = (): number => {
    if (version !== store.version) offerAt = store.nextOfferAt();
    version = store.version;
    return Math.max(offerAt, notBefore);
  };
  return [
    next,
    () => {
      fleet.sweep();
      notBefore = world.now + SWEEP_MS;
    },
  ];
}

const COUNTED_DETAILS: [name: string, detail: string][] = [
  ['resent', 'Sending was interrupted, the message is sent again'],
  ['held', 'Sending was interrupted, the message is held'],
  ['quarantined', 'Step was quarantined after repeated crashes'],
  ['failovers', `${describeProvider(SUBSTITUTE).displayName} provider was selected`],
];

function summary(store: MemoryStore, { successors, calls }: Witness, { faultCounts }: World): Coverage {
  const coverage: Coverage = { successors: successors.size, calls: calls.length, ...faultCounts };
  const count = (name: string): void => void (coverage[name] = (coverage[name] ?? 0) + 1);
  for (const { type, state, details } of store.steps.values()) {
    count(`${type} ${state}`);
    for (const [name, text] of COUNTED_DETAILS) if (details.some(({ detail }) => detail === text)) count(name);
  }
  return coverage;
}
