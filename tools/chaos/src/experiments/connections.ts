import { setTimeout as delay } from 'node:timers/promises';
import type { ProxiedConnection } from '@clarion/testing';
import { correctness, type Experiment } from '../experiment';
import { seconds } from '../report';
import { openScenario, type Scenario } from '../scenario';
import type { World } from '../world';

const CONSUMING_MS = 60_000;
const EVENTS = 40;

/** The commands that a worker waits in for its next job. */
const isBlocking = (connection: ProxiedConnection): boolean =>
  /bzpopmin|blmove|brpoplpush|xread/i.test(connection.lastSent());

/** Breaks something, and repairs what does not repair itself. */
type Break = { name: string; run(world: World): Promise<void> };

const BREAKS: Break[] = [
  {
    name: 'blocking connections black-holed',
    run: ({ stores }) => {
      for (const connection of stores.redisProxy.connections().filter(isBlocking)) connection.blackHole();
      return Promise.resolve();
    },
  },
  {
    name: 'all connections to Redis cut',
    run: ({ stores }) => {
      for (const connection of stores.redisProxy.connections()) connection.cut();
      return Promise.resolve();
    },
  },
  {
    name: 'Redis frozen',
    run: async ({ stores }) => {
      stores.redis.freeze();
      await delay(5_000);
      stores.redis.resume();
    },
  },
  {
    name: 'connections to Postgres black-holed',
    run: ({ stores }) => {
      for (const connection of stores.postgresProxy.connections()) connection.blackHole();
      return Promise.resolve();
    },
  },
  {
    name: 'start without Redis and Postgres',
    run: async (world) => {
      const { redisProxy, postgresProxy } = world.stores;
      await Promise.all([redisProxy.cut(), postgresProxy.cut()]);
      for (const place of world.places) place.kill();
      await delay(4_000);
      await Promise.all([redisProxy.restore(), postgresProxy.restore()]);
    },
  },
];

/** T7: after each fault new events are delivered without help. */
export const brokenConnections: Experiment = {
  t: 'T7',
  title: 'single connections black-holed, cut and frozen; starts without stores',
  asked: 'consuming again <= 60 s; the order of starts does not matter; 0 lost',
  minutes: 6,
  async run({ world: open, times, progress }) {
    const world = await open();
    const rounds = times(20, 1);
    const scenario = await openScenario({
      world,
      name: 'T7',
      workflows: ['mixed'],
      load: { perSecond: 200, bulk: 10 },
    });
    const waits: number[] = [];
    for (let round = 1; round <= rounds; round += 1)
      for (const { name, run } of BREAKS) {
        progress(`${name}, ${round} of ${rounds}`);
        world.note({ broken: name });
        await run(world);
        waits.push(await consumed(world, scenario));
      }
    await world.heal();
    const { faults } = await scenario.finish();
    const longest = Math.max(...waits);
    return {
      done: `${BREAKS.map(({ name }) => name).join(', ')}: ${rounds} times each`,
      figures: [
        { what: `consuming again after ${seconds(longest)} at most`, reached: longest <= CONSUMING_MS, isTiming: true },
        ...correctness(faults),
      ],
      faults,
    };
  },
};

/** Sends events and returns the time until a worker has sent the first of them. */
async function consumed(world: World, scenario: Scenario): Promise<number> {
  const begin = Date.now();
  const first = scenario.load.events.length;
  const sending = scenario.load.send(EVENTS);
  for (;;) {
    const ids = new Set(scenario.load.events.slice(first).map(({ transactionId }) => transactionId));
    const last = world.provider.calls(`${scenario.name}-`).findLast(({ transactionId }) => ids.has(transactionId));
    if (last || Date.now() - begin > 2 * CONSUMING_MS) break;
    await delay(100);
  }
  await sending;
  return Date.now() - begin;
}
