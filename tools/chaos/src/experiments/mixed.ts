import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '@clarion/persistence';
import type { App } from '@clarion/testing';
import { correctness, type Experiment } from '../experiment';
import {
  crashPostgres,
  cutConnections,
  type Deed,
  flushRedis,
  freezeFor,
  killOne,
  restartRedis,
  shuffled,
} from '../nemesis';
import { openScenario } from '../scenario';

const PLACES: App[] = ['gateway', 'gateway', 'engine', 'engine', 'worker-email', 'worker-email', 'worker-in-app'];
const PER_SECOND = 40;
const PAUSE_MS = 1_500;

const DEEDS: Deed[] = [
  killOne('gateway'),
  killOne('engine'),
  killOne('worker-in-app'),
  flushRedis,
  restartRedis,
  crashPostgres,
  cutConnections,
];

/** What `npm test` runs: each kind of fault once, in an order of the seed. */
export const mixed: Experiment = {
  t: 'mixed',
  title: 'each kind of fault once',
  asked: '0 lost, 0 doubled without a flag, 0 early',
  minutes: 1.5,
  async run({ ownWorld, random, progress }) {
    const world = await ownWorld({ places: PLACES });
    const scenario = await openScenario({
      world,
      name: 'mixed',
      workflows: ['mail', 'inbox', 'delayed', 'digested'],
      load: { perSecond: PER_SECOND, bulk: 10 },
    });
    const order = shuffled(DEEDS, random);
    const sending = scenario.load.send(order.length * 2.5 * PER_SECOND);
    await delay(PAUSE_MS);
    // The other email worker is killed while this one is frozen.
    const freezing = freezeFor('worker-email', LEASE_MS + 2_000).run(world, random);
    for (const deed of order) {
      progress(deed.name);
      world.note({ deed: deed.name });
      await deed.run(world, random);
      await delay(PAUSE_MS);
    }
    world.placesOf('worker-email')[1]!.kill();
    await sending;
    await freezing;
    await world.heal();
    progress('waiting until everything has ended');
    const { faults, acknowledged, doubled, flagged } = await scenario.finish({ deadlineMs: 150_000 });
    const early = faults.filter(({ kind }) => kind === 'early timer').length;
    await world.stop();
    return {
      done: `${DEEDS.length + 2} faults in ${acknowledged} events`,
      figures: [
        ...correctness(faults),
        { what: `${early} early`, reached: early === 0 },
        { what: `${doubled} doubled, ${flagged} flagged`, reached: doubled <= flagged },
      ],
      faults,
    };
  },
};
