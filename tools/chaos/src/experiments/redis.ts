import { setTimeout as delay } from 'node:timers/promises';
import {
  type RedisReplication,
  startRedisCluster,
  startRedisReplication,
  startRedisSentinel,
  type App,
} from '@clarion/testing';
import type { Fault } from '../checker';
import { correctness, type Experiment, type Trial } from '../experiment';
import { seconds } from '../report';
import { openScenario } from '../scenario';
import type { World } from '../world';

const REBUILD_MS = 60_000;
/** The sweeper offers a row again after 15 s at the latest, however few rows there are. */
const LEAST_REBUILD_MS = 20_000;

/** T3: the shared Redis has no persistence, so that a restart loses everything too. */
export const emptiedRedis: Experiment = {
  t: 'T3',
  title: 'FLUSHALL, and restarts of a Redis without persistence',
  asked: '0 lost; 100,000 pending rows delivered <= 60 s after a FLUSHALL',
  minutes: 6,
  async run({ world: open, random, times, progress }) {
    const world = await open();
    const { redis } = world.stores;
    const [flushes, restarts] = [times(20, 3), times(5, 1)];
    const events = times(50_000, 1_000);
    const faulty = flushes + restarts;
    const load = { perSecond: Math.max(40, events / (faulty * 4)), bulk: 10 };
    const scenario = await openScenario({ world, name: 'T3', workflows: ['mixed', 'mail'], load });
    const sending = scenario.load.send(events);
    for (let fault = 0; fault < faulty; fault += 1) {
      await delay(random.between(2_000, 4_000));
      // The restarts are spread among the others.
      const isRestart = Math.floor(((fault + 1) * restarts) / faulty) > Math.floor((fault * restarts) / faulty);
      progress(`${isRestart ? 'restart' : 'FLUSHALL'} ${fault + 1} of ${faulty}`);
      world.note({ redis: isRestart ? 'restart' : 'FLUSHALL' });
      if (isRestart) {
        await redis.kill();
        await delay(500);
        await redis.restart();
      } else await redis.command('FLUSHALL');
    }
    await sending;
    const finished = await scenario.finish();
    const rebuilt = await rebuild(world, times(100_000, 2_000), progress);
    const faults = [...finished.faults, ...rebuilt.faults];
    return {
      done: `${flushes} FLUSHALL, ${restarts} restarts, ${finished.acknowledged} events; ${rebuilt.rows} pending rows`,
      figures: [
        ...correctness(faults),
        {
          what: `${rebuilt.rows} rows delivered ${seconds(rebuilt.tookMs)} after the FLUSHALL`,
          reached: rebuilt.tookMs <= Math.max(LEAST_REBUILD_MS, (REBUILD_MS * rebuilt.rows) / 100_000),
          isTiming: true,
        },
      ],
      faults,
    };
  },
};

/** Lets rows wait without a worker, empties Redis and measures how long their delivery takes. */
async function rebuild(
  world: World,
  rows: number,
  progress: Trial['progress'],
): Promise<{ rows: number; tookMs: number; faults: Fault[] }> {
  const [worker] = world.placesOf('worker-in-app');
  await worker!.down();
  const scenario = await openScenario({
    world,
    name: 'T3r',
    workflows: ['inbox'],
    load: { perSecond: 5_000, bulk: 100 },
  });
  progress(`${rows} rows without a worker`);
  await scenario.load.send(rows);
  await untilFannedOut(world, scenario.environmentId, rows);
  await worker!.up();
  await world.stores.redis.command('FLUSHALL');
  const begin = Date.now();
  const { faults } = await scenario.finish();
  return { rows, tookMs: Date.now() - begin, faults };
}

async function untilFannedOut(world: World, environmentId: string, rows: number): Promise<void> {
  for (;;) {
    const [row] = await world.stores.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM work WHERE environment_id = $1 AND type <> 'trigger'`,
      [environmentId],
    );
    if (row!.count >= rows) return;
    await delay(250);
  }
}

/** T4: a replica that has missed the last seconds becomes the primary; then Sentinel and Cluster do the same. */
export const redisFailover: Experiment = {
  t: 'T4',
  title: 'failover of Redis to a stale replica, by Sentinel and in a Cluster; promotion of the standby of Postgres',
  asked: '0 lost; 0 doubled without a flag',
  minutes: 5,
  async run(trial) {
    const { world: open, times, progress } = trial;
    const world = await open();
    const [stale, promotions] = [times(10, 2), times(3, 1)];
    const load = { perSecond: 50, bulk: 10 };
    const scenario = await openScenario({ world, name: 'T4', workflows: ['mixed', 'mail'], load });
    const sending = scenario.load.send((stale * 6 + promotions * 8) * load.perSecond);
    const pairs: RedisReplication[] = [];
    try {
      for (let round = 1; round <= stale; round += 1) {
        progress(`stale replica ${round} of ${stale}`);
        const pair = await startRedisReplication();
        pairs.push(pair);
        world.stores.useRedis(pair.primary.port);
        await delay(1_500);
        pair.replica.freeze();
        await delay(1_500);
        await pair.primary.kill();
        pair.replica.resume();
        await pair.promote();
        world.note({ promoted: round });
        world.stores.useRedis(pair.replica.port);
        await delay(1_500);
      }
      for (let round = 1; round <= promotions; round += 1) {
        progress(`promotion of the standby of Postgres ${round} of ${promotions}`);
        await promoteStandby(world);
        await delay(2_000);
      }
      await sending;
    } finally {
      world.stores.useRedis();
      await Promise.all(pairs.map((pair) => pair.stop()));
    }
    await world.heal();
    const { faults, acknowledged } = await scenario.finish();
    const sentinel = await sentinelFailover(trial, times(4, 1));
    const cluster = await clusterFailover(trial, times(4, 1));
    const all = [...faults, ...sentinel.faults, ...cluster.faults];
    return {
      done:
        `${stale} promotions of a stale replica, ${promotions} of a synchronous standby of Postgres, ` +
        `${times(4, 1)} kills of the primary with Sentinel and ${times(4, 1)} in a Cluster, ` +
        `in ${acknowledged + sentinel.acknowledged + cluster.acknowledged} events`,
      figures: correctness(all),
      faults: all,
    };
  },
};

/** Only a synchronous standby has every commit that was acknowledged. */
async function promoteStandby({ stores, note }: World): Promise<void> {
  const { postgres, postgresProxy } = stores;
  await postgres.setSynchronous(true);
  await delay(1_000);
  await postgres.killPrimary();
  for (const connection of postgresProxy.connections()) connection.cut();
  await postgres.promote();
  note({ promoted: 'Postgres' });
  postgresProxy.retarget(postgres.primary.port);
  await postgres.rejoin();
}

const FEW_PLACES: App[] = ['gateway', 'engine', 'worker-email', 'worker-in-app', 'worker-sms'];

type Failover = { faults: Fault[]; acknowledged: number };

async function sentinelFailover(trial: Trial, kills: number): Promise<Failover> {
  const sentinel = await startRedisSentinel();
  try {
    return await failOver(trial, 'T4s', sentinel.url, kills, async () => {
      const before = await sentinel.primary();
      await sentinel.killPrimary();
      await before.restart();
    });
  } finally {
    await sentinel.stop();
  }
}

async function clusterFailover(trial: Trial, kills: number): Promise<Failover> {
  const cluster = await startRedisCluster();
  try {
    return await failOver(trial, 'T4c', cluster.url, kills, async (round) => {
      const key = `{queue-${round}}`;
      const before = await cluster.primaryOf(key);
      await cluster.killPrimaryOf(key);
      await before.restart();
    });
  } finally {
    await cluster.stop();
  }
}

async function failOver(
  { ownWorld, progress }: Trial,
  name: string,
  redisUrl: string,
  kills: number,
  kill: (round: number) => Promise<void>,
): Promise<Failover> {
  progress(`${name === 'T4s' ? 'Sentinel' : 'Cluster'}: starting`);
  const world = await ownWorld({ redisUrl, places: FEW_PLACES });
  try {
    const load = { perSecond: 40, bulk: 10 };
    const scenario = await openScenario({ world, name, workflows: ['mixed'], load });
    const sending = scenario.load.send(kills * 5 * load.perSecond);
    for (let round = 1; round <= kills; round += 1) {
      await delay(1_500);
      progress(`${name === 'T4s' ? 'Sentinel' : 'Cluster'}: kill ${round} of ${kills}`);
      await kill(round);
    }
    await sending;
    return await scenario.finish();
  } finally {
    await world.stop();
  }
}

const AFTER_RAISE_MS = 120_000;

/** T5: adds are rejected. That is no error of the caller: the rows wait. */
export const fullRedis: Experiment = {
  t: 'T5',
  title: 'Redis without memory for new jobs; Redis with an evicting policy',
  asked: '50,000 accepted, 0 lost, delivered <= 2 min after memory is raised; an evicting policy is refused at start',
  minutes: 3,
  async run({ world: open, times, progress }) {
    const world = await open();
    const { redis } = world.stores;
    const events = times(50_000, 1_500);
    const used = Number((await redis.info('memory'))['used_memory']);
    // Some jobs fit; the producers and the workers meet the limit in all of their commands.
    await redis.command('CONFIG', 'SET', 'maxmemory', String(used + 64 * 1024));
    const scenario = await openScenario({
      world,
      name: 'T5',
      workflows: ['mail', 'inbox'],
      load: { perSecond: 1_000, bulk: 50 },
    });
    progress(`${events} events while Redis is full`);
    await scenario.load.send(events);
    const rejected = Number(
      /errorstat_OOM:count=(\d+)/.exec(String(await redis.command('INFO', 'errorstats')))?.[1] ?? 0,
    );
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    const { faults, acknowledged, drainedMs } = await scenario.finish();
    progress('an evicting policy');
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const refused = await (await world.startExtra('worker-email')).exited;
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    return {
      done: `${events} events with maxmemory reached (${rejected} commands rejected); one start with allkeys-lru`,
      figures: [
        { what: `${acknowledged} accepted`, reached: acknowledged === events },
        ...correctness(faults),
        {
          what: `delivered ${seconds(drainedMs)} after the raise`,
          reached: drainedMs <= AFTER_RAISE_MS,
          isTiming: true,
        },
        { what: `allkeys-lru: exit code ${refused}`, reached: refused !== 0 },
      ],
      faults,
    };
  },
};
