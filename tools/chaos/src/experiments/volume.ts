import { setTimeout as delay } from 'node:timers/promises';
import { correctness, type Experiment, type Finding, type Trial } from '../experiment';
import { percentile, seconds } from '../report';
import { type Finished, openScenario } from '../scenario';
import type { World } from '../world';

const MEMBERS = 1_000_000;
const KILLS = 20;
const FAN_OUT_MS = 600_000;
const FAN_OUT_MIB = 150;

/** T17: one event for a large topic while engines are killed. */
export const largeTopic: Experiment = {
  t: 'T17',
  title: 'one event for a large topic while engines are killed',
  asked: 'exactly one notification for each member; memory + <= 150 MiB; 1,000,000 <= 10 min',
  minutes: 10,
  async run({ world: open, times, random, progress }) {
    const world = await open();
    const [members, kills] = [times(MEMBERS, 20_000), times(KILLS, 2)];
    const scenario = await openScenario({ world, name: 'T17', workflows: ['inbox'], load: { perSecond: 1, bulk: 1 } });
    progress(`a topic of ${members} members`);
    await insertTopic(world, scenario.environmentId, members);
    const engines = world.placesOf('engine');
    const before = engines.map((engine) => engine.memory());
    const begin = Date.now();
    await world.call(scenario.key, 'POST', '/v1/events/trigger', {
      name: 'inbox',
      to: { type: 'Topic', topicKey: 'everyone' },
      payload: { t: 'T17-topic' },
      transactionId: 'T17-topic',
    });
    let killed = 0;
    let growth = 0;
    const count = async (): Promise<{ notifications: number; open: number }> => {
      const [row] = await world.stores.query<{ notifications: number; open: number }>(
        `SELECT (SELECT count(*)::int FROM notification WHERE environment_id = $1) AS notifications,
                (SELECT count(*)::int FROM work WHERE environment_id = $1 AND type = 'trigger') AS open`,
        [scenario.environmentId],
      );
      return row!;
    };
    for (;;) {
      const { notifications, open: triggers } = await count();
      progress(`${notifications} of ${members} notifications, ${killed} kills`);
      if (triggers === 0 && notifications > 0) break;
      if (Date.now() - begin > 2 * FAN_OUT_MS) break;
      const isDue = killed < kills && notifications >= (members * (killed + 1)) / (kills + 1);
      const alive = engines.filter(({ isReady }) => isReady);
      for (const engine of alive) growth = Math.max(growth, engine.memory() - Math.min(...before));
      if (isDue && alive.length > 0) {
        random.pick(alive).kill();
        killed += 1;
      }
      await delay(200);
    }
    const tookMs = Date.now() - begin;
    await world.heal();
    const finished = await scenario.finish({ deadlineMs: 2 * FAN_OUT_MS });
    const [row] = await world.stores.query<{ all: number; different: number }>(
      `SELECT count(*)::int AS all, count(DISTINCT subscriber_id)::int AS different
         FROM notification WHERE environment_id = $1`,
      [scenario.environmentId],
    );
    return {
      done: `${members} members, ${killed} kills of an engine`,
      figures: [
        {
          what: `${row!.all} notifications for ${row!.different} members`,
          reached: row!.all === members && row!.different === members,
        },
        { what: `memory + ${Math.round(growth)} MiB`, reached: growth <= FAN_OUT_MIB, isTiming: true },
        {
          what: `fan-out in ${seconds(tookMs)}`,
          // Each kill costs up to the length of a lease.
          reached: tookMs <= Math.max((FAN_OUT_MS * members) / MEMBERS, killed * 25_000),
          isTiming: true,
        },
        ...correctness(finished.faults),
      ],
      faults: finished.faults,
    };
  },
};

/** Generates the members inside Postgres. */
async function insertTopic(world: World, environmentId: string, members: number): Promise<void> {
  await world.stores.query(
    `WITH made AS (
       INSERT INTO subscriber (id, environment_id, subscriber_id, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'm-' || n, now(), now() FROM generate_series(1, $2::int) n
       RETURNING id, subscriber_id),
     topic AS (
       INSERT INTO topic (id, environment_id, key, name) VALUES (gen_random_uuid(), $1, 'everyone', 'Everyone')
       RETURNING id)
     INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
     SELECT gen_random_uuid(), $1, topic.id, made.id, made.subscriber_id FROM made, topic`,
    [environmentId, members],
  );
}

const ACCEPT_MS = 150;
const NICE = '10';

type Accepted = { p99: number; failed: number; finish: () => Promise<Finished> };

/** T27: bulk calls of a hundred events, with Redis and without. */
export const acceptLatency: Experiment = {
  t: 'T27',
  title: 'accepting bulk calls of 100 events, with Redis and without',
  asked: 'p99 <= 150 ms at 2,000 events each second, fsync on, 0 errors; without Redis the same',
  minutes: 2,
  async run(trial) {
    // The processors are shared with the engines and the workers, as on one machine of an operator.
    const world = await trial.ownWorld({ variables: { CLARION_NICE: NICE } });
    try {
      return await acceptBulkCalls(trial, world);
    } finally {
      await world.stop();
    }
  },
};

async function acceptBulkCalls({ times, progress }: Trial, world: World): Promise<Finding> {
  const events = times(60_000, 2_000);
  const run = async (name: string): Promise<Accepted> => {
    const took: number[] = [];
    const load = { perSecond: 2_000, bulk: 100, onAnswer: (tookMs: number) => void took.push(tookMs) };
    const scenario = await openScenario({ world, name, workflows: ['inbox'], load });
    await scenario.load.send(events);
    const failed = scenario.load.responses.filter(({ status }) => status !== 201).length;
    return { p99: percentile(took, 0.99), failed, finish: () => scenario.finish() };
  };
  progress(`${events} events with Redis`);
  const withRedis = await run('T27');
  const first = await withRedis.finish();
  progress(`${events} events without Redis`);
  await world.stores.redisProxy.cut();
  const without = await run('T27none');
  await world.stores.redisProxy.restore();
  const second = await without.finish();
  const faults = [...first.faults, ...second.faults];
  return {
    done: `${events} events with Redis and ${events} without, CLARION_NICE=${NICE}`,
    figures: [
      { what: `p99 ${Math.round(withRedis.p99)} ms`, reached: withRedis.p99 <= ACCEPT_MS, isTiming: true },
      { what: `without Redis ${Math.round(without.p99)} ms`, reached: without.p99 <= ACCEPT_MS, isTiming: true },
      { what: `${withRedis.failed + without.failed} errors`, reached: withRedis.failed + without.failed === 0 },
      ...correctness(faults),
    ],
    faults,
  };
}

const SOAK_MINUTES = 60;
const SLOPE_MIB = 1;

/** T26: steady load and random faults; the memory of each process must not grow. */
export const soak: Experiment = {
  t: 'T26',
  title: 'steady load with random faults',
  asked: 'memory + <= 1 MiB each minute; 0 lost; p99 of accepting <= 150 ms',
  minutes: SOAK_MINUTES,
  async run({ world: open, times, random, progress }: Trial) {
    const world = await open();
    const lastsMs = times(SOAK_MINUTES * 60_000, 30_000);
    const took: number[] = [];
    const load = { perSecond: 60, bulk: 10, onAnswer: (tookMs: number) => void took.push(tookMs) };
    const scenario = await openScenario({ world, name: 'T26', workflows: ['mixed', 'mail'], load });
    const begin = Date.now();
    const sending = (async () => {
      while (Date.now() - begin < lastsMs) await scenario.load.send(load.perSecond);
    })();
    // A place that is never killed shows whether its memory grows.
    const steady = [world.placesOf('gateway')[0]!, world.placesOf('engine')[0]!, world.placesOf('worker-email')[0]!];
    const others = world.places.filter((place) => !steady.includes(place));
    const samples: { minute: number; memory: number[] }[] = [];
    let faultsDone = 0;
    while (Date.now() - begin < lastsMs) {
      await delay(random.between(3_000, 6_000));
      samples.push({ minute: (Date.now() - begin) / 60_000, memory: steady.map((place) => place.memory()) });
      const kind = random.pick(['kill', 'FLUSHALL', 'cut'] as const);
      progress(`${seconds(Date.now() - begin)} of ${seconds(lastsMs)}, fault ${(faultsDone += 1)}: ${kind}`);
      if (kind === 'kill') random.pick(others).kill();
      else if (kind === 'FLUSHALL') await world.stores.redis.command('FLUSHALL');
      else for (const connection of world.stores.redisProxy.connections()) connection.cut();
    }
    await sending;
    await world.heal();
    const { faults, acknowledged } = await scenario.finish();
    // Caches fill in the first part.
    const later = samples.slice(Math.floor(samples.length / 3));
    const slopes = steady.map((_, index) => slopeOf(later.map(({ minute, memory }) => [minute, memory[index]!])));
    const steepest = Math.max(...slopes);
    const p99 = percentile(took, 0.99);
    return {
      done: `${seconds(lastsMs)}, ${acknowledged} events, ${faultsDone} faults`,
      figures: [
        ...correctness(faults),
        { what: `memory + ${steepest.toFixed(1)} MiB each minute`, reached: steepest <= SLOPE_MIB, isTiming: true },
        { what: `accept p99 ${Math.round(p99)} ms`, reached: p99 <= ACCEPT_MS, isTiming: true },
      ],
      faults,
    };
  },
};

/** The slope of the line with the smallest squares. */
function slopeOf(points: [number, number][]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / Math.max(1, points.length);
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}
