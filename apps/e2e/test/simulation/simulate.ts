import { check } from './checker';
import { Fleet, makeIntegrations } from './fleet';
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

/** What a run came across; a simulation that never sees a crash proves nothing. */
export type Seen = { steps: number; ended: Record<string, number>; calls: number; resent: number; quarantined: number };

const SWEEP_MS = 1_000;
const MOST_TURNS = 40_000;

/** One whole life of a small Clarion, from accepted triggers until nothing is left to do. The seed decides everything. */
export async function simulate(
  seed: number,
  { Store = MemoryStore, tracing = false }: { Store?: typeof MemoryStore; tracing?: boolean } = {},
): Promise<Run> {
  const random = new Random(seed);
  const scenario = makeScenario(random);
  const world = new World(random, tracing);
  const witness = new Witness(world);
  const store = new Store(world, witness, scenario.subscriberIds, scenario.subscriptions, makeIntegrations(scenario));
  const giveBack = world.takeOver();
  try {
    const fleet = new Fleet(world, store, witness, scenario);
    for (const [index, trigger] of scenario.triggers.entries()) {
      world.after(trigger.afterMs, () => {
        const id = `trigger${index}`;
        world.tell(() => `${id} is accepted: ${JSON.stringify(trigger)}`);
        store.accept({ id, ...trigger });
        fleet.offersOf().triggers([{ id }]);
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
  return { seed, problems: witness.problems, trace: world.trace, seen: summary(store, witness) };
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

function summary(store: MemoryStore, { calls }: Witness): Seen {
  const ended: Record<string, number> = {};
  let resent = 0;
  let quarantined = 0;
  for (const { type, state, details } of store.steps.values()) {
    const name = `${type} ${state}`;
    ended[name] = (ended[name] ?? 0) + 1;
    if (details.some(({ detail }) => detail.startsWith('Sending was interrupted'))) resent += 1;
    if (details.some(({ detail }) => detail.includes('quarantined'))) quarantined += 1;
  }
  return { steps: store.steps.size, ended, calls: calls.length, resent, quarantined };
}
