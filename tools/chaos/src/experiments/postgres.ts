import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { correctness, type Experiment } from '../experiment';
import { percentile, seconds } from '../report';
import { openScenario, type Scenario } from '../scenario';
import type { World } from '../world';

const WELL_AGAIN_MS = 10_000;
const RESTART_EVERY_MS = 8_000;

/** T8: a fast stop ends the connections, an immediate one is a crash. */
export const postgresRestarts: Experiment = {
  t: 'T8',
  title: 'restarts of Postgres, fast and immediate',
  asked: '0 lost, 0 doubled rows, only 2xx and 503 with Retry-After, a success <= 10 s after each restart',
  minutes: 4,
  async run({ world: open, times, progress }) {
    const world = await open();
    const { postgres } = world.stores;
    const [restarts, events] = [times(20, 2), times(20_000, 800)];
    const load = { perSecond: Math.max(40, (events * 1000) / (restarts * RESTART_EVERY_MS)), bulk: 10 };
    const scenario = await openScenario({ world, name: 'T8', workflows: ['mixed', 'mail'], load });
    const sending = scenario.load.send(events);
    const waits: number[] = [];
    for (let restart = 1; restart <= restarts; restart += 1) {
      await delay(RESTART_EVERY_MS / 2);
      const mode = restart % 2 === 0 ? 'fast' : 'immediate';
      progress(`${mode} restart ${restart} of ${restarts}`);
      world.note({ postgres: mode });
      await postgres.stopPrimary(mode);
      await delay(500);
      await postgres.restartPrimary();
      waits.push(await untilSuccess(world, scenario));
    }
    await sending;
    await world.heal();
    const { faults, acknowledged, history } = await scenario.finish();
    const longest = Math.max(...waits);
    const refused = history.responses.filter(({ status }) => status === 503).length;
    return {
      done: `${restarts} restarts in ${acknowledged} events`,
      figures: [
        ...correctness(faults),
        { what: `${refused} responses 503`, reached: true },
        {
          what: `a success ${seconds(longest)} after the restart at most`,
          reached: longest <= WELL_AGAIN_MS,
          isTiming: true,
        },
      ],
      faults,
    };
  },
};

/** The time until the gateways accept an event, past the load. */
async function untilSuccess(world: World, { key }: Scenario): Promise<number> {
  const begin = Date.now();
  await world.call(key, 'GET', '/v2/workflows');
  return Date.now() - begin;
}

const ANSWER_MS = 2_500;
const RECOVERED_MS = 5_000;

/** T9: other clients have every connection of the server; then many clients change the same subscribers. */
export const heldConnections: Experiment = {
  t: 'T9',
  title: 'no free connection to Postgres; the same rows changed by 16 clients',
  asked: '503 <= 2.5 s (p95); a success <= 5 s after the release; 0 responses 5xx other than 503',
  minutes: 2,
  async run({ world: open, times, progress }) {
    const world = await open();
    const heldMs = times(30_000, 6_000);
    const refusals: number[] = [];
    const load = { perSecond: 60, bulk: 1 };
    const scenario = await openScenario({ world, name: 'T9', workflows: ['mail'], load });
    await scenario.load.send(20);
    progress(`every connection of the server is taken for ${heldMs} ms`);
    const release = await takeConnections(world);
    const sending = scenario.load.send((load.perSecond * heldMs) / 1000 / 4);
    await probe(world, scenario, heldMs, refusals);
    await release();
    const released = Date.now();
    await untilSuccess(world, scenario);
    const recoveredMs = Date.now() - released;
    await sending;
    progress('16 clients change the same subscribers');
    const changes = await changeSubscribers(world, scenario, times(60_000, 5_000));
    scenario.load.responses.push(...changes.map((status) => ({ status, ...(status === 503 && { retryAfter: '1' }) })));
    const { faults } = await scenario.finish();
    const p95 = percentile(refusals, 0.95);
    return {
      done: `no free connection for ${seconds(heldMs)}; ${changes.length} changes of the same 100 subscribers`,
      figures: [
        {
          what: `${refusals.length} responses 503, p95 ${seconds(p95)}`,
          reached: refusals.length > 0 && p95 <= ANSWER_MS,
          isTiming: true,
        },
        {
          what: `a success ${seconds(recoveredMs)} after the release`,
          reached: recoveredMs <= RECOVERED_MS,
          isTiming: true,
        },
        ...correctness(faults),
      ],
      faults,
    };
  },
};

/** Ends the connections of the processes and takes all that the server has, as a leak of another program does. */
async function takeConnections({ stores }: World): Promise<() => Promise<void>> {
  const taken: Client[] = [];
  let isOver = false;
  let isFull = false;
  const take = async (): Promise<boolean> => {
    const client = new Client({ connectionString: stores.directUrl(), application_name: 'leak' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
      return true;
    } catch {
      return false;
    }
  };
  const taking = (async () => {
    while (!isOver) {
      while (await take());
      await taken[0]!.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name <> 'leak' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      isFull = true;
      await delay(20);
    }
  })();
  while (!isFull) await Promise.race([taking, delay(50)]);
  return async () => {
    isOver = true;
    await taking;
    await Promise.all(taken.map((client) => client.end()));
  };
}

/** Sends single events while nothing can be stored, and notes how long the refusals take. */
async function probe(world: World, { key, load }: Scenario, forMs: number, refusals: number[]): Promise<void> {
  const end = Date.now() + forMs;
  const one = async (n: number): Promise<void> => {
    while (Date.now() < end) {
      const begin = Date.now();
      const response = await fetch(`${world.gateways()[n % 2] ?? world.gateways()[0]}/v1/events/trigger`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'mail', to: 'probe', payload: { t: 'T9probe' } }),
      }).catch(() => undefined);
      if (!response) continue;
      await response.text();
      const retryAfter = response.headers.get('retry-after');
      load.responses.push({ status: response.status, ...(retryAfter !== null && { retryAfter }) });
      if (response.status === 503) refusals.push(Date.now() - begin);
      await delay(100);
    }
  };
  await Promise.all(Array.from({ length: 24 }, (_, n) => one(n)));
}

/** The statuses of the responses. */
async function changeSubscribers(world: World, { key }: Scenario, forMs: number): Promise<number[]> {
  const end = Date.now() + forMs;
  const statuses: number[] = [];
  const client = async (n: number): Promise<void> => {
    for (let round = 0; Date.now() < end; round += 1) {
      const order = Array.from({ length: 100 }, (_, at) => (at * (2 * n + 1) + round * 7) % 100);
      const subscribers = order.map((at) => ({ subscriberId: `same-${at}`, firstName: `name-${n}-${round}` }));
      const response = await fetch(`${world.gateways()[n % 2] ?? world.gateways()[0]}/v1/subscribers/bulk`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ subscribers }),
      }).catch(() => undefined);
      statuses.push(response?.status ?? 0);
      await response?.text();
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, n) => client(n)));
  return statuses;
}
