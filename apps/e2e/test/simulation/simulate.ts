import type { TriggerId } from '@clarion/contracts/core';
import { describeProvider } from '@clarion/providers';
import { check } from './checker';
import { Fleet } from './fleet';
import { makeIntegrations, SUBSTITUTE } from './integrations';
import { MemoryStore } from './memory-store';
import { Random } from './random';
import { makeScenario } from './scenario';
import { Witness } from './witness';
import { BEGIN, World } from './world';

export type Run = {
  seed: number;
  problems: string[];
  /** What happened, line by line; empty unless asked for. */
  trace: string;
  seen: Seen;
};

/** What a run came across, and how often; a simulation that never sees a crash proves nothing. */
export type Seen = Record<string, number>;

const SWEEP_MS = 1_000;
const MOST_TURNS = 40_000;

/**
 * One whole life of a small Clarion, from accepted triggers until nothing is left to do. The seed decides everything.
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
  const giveBack = world.takeOver();
  try {
    const fleet = new Fleet({ world, store, witness, scenario });
    for (const [index, trigger] of scenario.triggers.entries()) {
      world.after(trigger.afterMs, () => {
        const id = `trigger${index}` as TriggerId;
        world.tell(() => `${id} is accepted: ${JSON.stringify(trigger)}`);
        store.accept({ id, ...trigger });
        fleet.offers().triggers([{ id }]);
        if (trigger.cancelAfterMs === undefined) return;
        world.after(trigger.cancelAfterMs, () => {
          world.tell(() => `${trigger.transactionId} is canceled`);
          store.cancel(trigger.transactionId);
        });
      });
    }
    const ended = await world.run(...sweeping(world, store, fleet), MOST_TURNS);
    if (!ended) witness.problem('it did not come to an end');
    check(store, witness, scenario);
  } finally {
    giveBack();
  }
  return { seed, problems: witness.problems, trace: world.trace, seen: summary(store, witness, world) };
}

/** Every second somebody looks for stuck work; seconds in which there is none are passed over. */
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

const TOLD: [name: string, detail: string][] = [
  ['resent', 'Sending was interrupted, the message is sent again'],
  ['held', 'Sending was interrupted, the message is held'],
  ['quarantined', 'Step was quarantined after repeated crashes'],
  ['failovers', `${describeProvider(SUBSTITUTE).displayName} provider was selected`],
];

function summary(store: MemoryStore, { heirs, calls }: Witness, { times }: World): Seen {
  const seen: Seen = { heirs: heirs.size, calls: calls.length, ...times };
  const count = (name: string): void => void (seen[name] = (seen[name] ?? 0) + 1);
  for (const { type, state, details } of store.steps.values()) {
    count(`${type} ${state}`);
    for (const [name, text] of TOLD) if (details.some(({ detail }) => detail === text)) count(name);
  }
  return seen;
}
