import { setTimeout as delay } from 'node:timers/promises';
import type { FakeAnswer } from '@clarion/testing';
import { correctness, type Experiment, type Figure } from '../experiment';
import { percentile, seconds } from '../report';
import { type Finished, openScenario, type Scenario } from '../scenario';
import type { World } from '../world';

const LONGEST_CALL_MS = 15_500;
const GIGABYTE = 1024 * 1024 * 1024;
const MEMORY_MIB = 50;

/** The share of the events of an environment that were sent within this time. */
function sentWithin(history: Finished['history'], milliseconds: number): number {
  const sentAt = new Map(history.events.map((event) => [event.transactionId, event.sentAt]));
  const inTime = history.calls.filter((call) => call.at - sentAt.get(call.transactionId)! <= milliseconds);
  return new Set(inTime.map(({ transactionId }) => transactionId)).size / Math.max(1, history.events.length);
}

const healthyFigure = (history: Finished['history'], withinMs: number): Figure => {
  const share = sentWithin(history, withinMs);
  return {
    what: `healthy account: ${(share * 100).toFixed(1)} % sent within ${seconds(withinMs)}`,
    reached: share >= 0.95,
    isTiming: true,
  };
};

/** T11: one account each that never answers, drips, and sends a gigabyte; a healthy one beside them. */
export const slowProviders: Experiment = {
  t: 'T11',
  title: 'providers that hang, drip and send a gigabyte',
  asked: 'a call ends <= 15.5 s; memory + <= 50 MiB; the healthy account >= 95 %',
  minutes: 2,
  async run({ world: open, times, progress }) {
    const world = await open();
    const ills: Record<string, FakeAnswer> = {
      hang: { hang: true },
      drip: { dripMs: 100 },
      flood: { status: 500, bytes: GIGABYTE },
    };
    const sick: Scenario[] = [];
    for (const [name, answer] of Object.entries(ills)) {
      const scenario = await openScenario({
        world,
        name: `T11${name}`,
        workflows: ['mail'],
        load: { perSecond: 50, bulk: 10 },
      });
      world.provider.behave(scenario.account, () => answer);
      sick.push(scenario);
    }
    const healthy = await openScenario({
      world,
      name: 'T11well',
      workflows: ['mail'],
      load: { perSecond: 40, bulk: 10 },
    });
    const workers = world.placesOf('worker-email');
    // A process that has just started grows with its first messages; the experiment before may have killed the workers.
    const warmUp = times(1_000, 200);
    await healthy.load.send(warmUp);
    while (world.provider.calls('T11well-').length < warmUp) await delay(250);
    const before = workers.map((worker) => worker.memory());
    const each = times(200, 20);
    progress(`${each} messages to each ill account`);
    const sending = [...sick.map(({ load }) => load.send(each)), healthy.load.send(times(1_000, 200))];
    await delay(Math.max(LONGEST_CALL_MS + 3_000, times(60_000, 0)));
    const growth = Math.max(...workers.map((worker, index) => worker.memory() - before[index]!));
    const lasted = await longestCall(world, sick);
    for (const { account } of sick) world.provider.behave(account, undefined);
    await Promise.all(sending);
    const well = await healthy.finish();
    const others = await Promise.all(sick.map((scenario) => scenario.finish()));
    const faults = [well, ...others].flatMap((one) => one.faults);
    return {
      done: `${each} messages to each of ${Object.keys(ills).join(', ')}; ${well.acknowledged} to a healthy account`,
      figures: [
        { what: `calls ended after ${seconds(lasted)} at most`, reached: lasted <= LONGEST_CALL_MS, isTiming: true },
        { what: `memory + ${Math.round(growth)} MiB`, reached: growth <= MEMORY_MIB, isTiming: true },
        healthyFigure(well.history, 5_000),
        ...correctness(faults),
      ],
      faults,
    };
  },
};

/** From a call to the record of its failure; calls without a record yet are not counted. */
async function longestCall(world: World, scenarios: Scenario[]): Promise<number> {
  const rows = await world.stores.query<{ t: string; at: number }>(
    `SELECT t.transaction_id AS t, extract(epoch FROM min(d.created_at))::float8 * 1000 AS at
       FROM execution_detail d JOIN notification n ON n.id = d.notification_id JOIN trigger t ON t.id = n.trigger_id
      WHERE d.environment_id = ANY ($1) AND d.status = 'Warning' GROUP BY 1`,
    [scenarios.map(({ environmentId }) => environmentId)],
  );
  const calls = scenarios.flatMap(({ name }) => world.provider.calls(`${name}-`));
  const first = new Map(calls.toReversed().map((call) => [call.transactionId, call.at]));
  return Math.max(0, ...rows.map(({ t, at }) => at - (first.get(t) ?? at)));
}

/** T12: a provider asks one account to wait, answers another one with errors, and serves a third. */
export const refusingProviders: Experiment = {
  t: 'T12',
  title: 'providers that answer 429 with Retry-After, and 5xx',
  asked: '<= 1 probe in 5 s for each worker; 0 failed for good; other accounts >= 95 %',
  minutes: 3,
  async run({ world: open, times, progress }) {
    const world = await open();
    const lastsMs = times(60_000, 15_000);
    const limited = await openScenario({
      world,
      name: 'T12limited',
      workflows: ['mail'],
      load: { perSecond: 40, bulk: 10 },
    });
    const broken = await openScenario({
      world,
      name: 'T12broken',
      workflows: ['mail'],
      load: { perSecond: 40, bulk: 10 },
    });
    const healthy = await openScenario({
      world,
      name: 'T12well',
      workflows: ['mail'],
      load: { perSecond: 40, bulk: 10 },
    });
    world.provider.behave(limited.account, () => ({ status: 429, headers: { 'retry-after': '5' } }));
    world.provider.behave(broken.account, () => ({ status: 500, text: 'broken' }));
    progress(`429 and 500 for ${seconds(lastsMs)}`);
    const sending = [limited, broken, healthy].map(({ load }) => load.send(times(600, 100)));
    await delay(lastsMs);
    const probes = world.provider.calls(`${limited.name}-`).map(({ at }) => at);
    for (const { account } of [limited, broken]) world.provider.behave(account, undefined);
    await Promise.all(sending);
    const all = await Promise.all([limited, broken, healthy].map((scenario) => scenario.finish()));
    const faults = all.flatMap((one) => one.faults);
    const failed = faults.filter(({ kind }) => kind === 'failed step').length;
    const workers = world.placesOf('worker-email').length;
    // The calls in flight when the first answer arrives are no probes.
    const begin = Math.min(...probes) + 2_000;
    const later = probes.filter((at) => at > begin).length;
    const allowed = workers * Math.ceil((lastsMs - 2_000) / 5_000);
    return {
      done: `429 and 500 for ${seconds(lastsMs)} to ${all[0]!.acknowledged} messages each`,
      figures: [
        { what: `${later} probes by ${workers} workers, ${allowed} allowed`, reached: later <= allowed },
        { what: `${failed} failed for good`, reached: failed === 0 },
        healthyFigure(all[2]!.history, 5_000),
        ...correctness(faults),
      ],
      faults,
    };
  },
};

/** The calls of all workers arrive a little earlier or later than they were planned. */
const OVER_LIMIT = 1.1;

/** T13: the provider is away while messages collect, then everything is due at once. */
export const outageAndBacklog: Experiment = {
  t: 'T13',
  title: 'an outage of the provider and the backlog after it',
  asked: 'in no second more calls than 1.1 x the limit of the integration; fresh messages p95 <= 2 x as before, or 2 s',
  minutes: 4,
  async run({ world: open, times, progress }) {
    const world = await open();
    const backlog = times(50_000, 600);
    const limit = times(500, 100);
    const scenario = await openScenario({
      world,
      name: 'T13',
      workflows: ['mail'],
      rateLimit: limit,
      load: { perSecond: 500, bulk: 50 },
    });
    const calm = await freshLatency(world, 'T13calm');
    progress(`${backlog} messages while the provider is away`);
    world.provider.behave(scenario.account, () => ({ status: 503 }));
    await scenario.load.send(backlog);
    await delay(times(60_000, 8_000));
    world.provider.behave(scenario.account, undefined);
    progress(`the provider is back; the integration has a limit of ${limit} messages a second`);
    const busy = await freshLatency(world, 'T13fresh');
    const { faults, history } = await scenario.finish();
    const busiest = busiestSecond(history.calls.map(({ at }) => at));
    return {
      done: `${backlog} messages collected during an outage, limit ${limit} messages a second`,
      figures: [
        { what: `${busiest} calls in the busiest second`, reached: busiest <= OVER_LIMIT * limit },
        {
          what: `fresh messages p95 ${seconds(busy.p95)}, before ${seconds(calm.p95)}`,
          reached: busy.p95 <= Math.max(2 * calm.p95, 2_000),
          isTiming: true,
        },
        ...correctness([...faults, ...calm.faults, ...busy.faults]),
      ],
      faults: [...faults, ...calm.faults, ...busy.faults],
    };
  },
};

/** The most calls within any 1,000 ms. */
function busiestSecond(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let [first, most] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while (at - sorted[first]! >= 1_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** The time from an event to its call, for some events of another environment. */
async function freshLatency(world: World, name: string): Promise<{ p95: number; faults: Finished['faults'] }> {
  const fresh = await openScenario({ world, name, workflows: ['mail'], load: { perSecond: 10, bulk: 1 } });
  await fresh.load.send(50);
  const { history, faults } = await fresh.finish();
  return { p95: percentile(latencies(history), 0.95), faults };
}

export function latencies({ events, calls }: Finished['history']): number[] {
  const sentAt = new Map(events.map((event) => [event.transactionId, event.sentAt]));
  return calls.map((call) => call.at - sentAt.get(call.transactionId)!);
}

/** p50 and p95 of the way to the provider: the response to the event, then the engine, then the worker. */
function hopsOf({ events, calls, records }: Finished['history']): string {
  const byEvent = new Map(events.map((event) => [event.transactionId, event]));
  const notifiedAt = new Map(records.steps.map((step) => [step.transactionId, step.notifiedAt]));
  const acknowledged = events.flatMap((event) => (event.acknowledgedAt === undefined ? [] : [event]));
  const hops = {
    response: acknowledged.map(({ acknowledgedAt, sentAt }) => acknowledgedAt! - sentAt),
    engine: [...notifiedAt].map(([id, at]) => at - (byEvent.get(id)?.acknowledgedAt ?? at)),
    worker: calls.map(({ transactionId, at }) => at - (notifiedAt.get(transactionId) ?? at)),
  };
  return Object.entries(hops)
    .map(([name, times]) => `${name} ${seconds(percentile(times, 0.5))}, ${seconds(percentile(times, 0.95))}`)
    .join('; ');
}

const QUIET_MS = 2_000;
const NOISY_SHARE = 0.8;

/** Messages a second, without the beginning and the end, which have fewer. */
function throughput({ calls }: Finished['history']): number {
  const times = calls.map(({ at }) => at).sort((a, b) => a - b);
  const [from, to] = [Math.floor(times.length * 0.1), Math.ceil(times.length * 0.9) - 1];
  return to <= from ? 0 : ((to - from) * 1_000) / Math.max(1, times[to]! - times[from]!);
}

/** T14: one environment sends far more than the workers can send. */
export const noisyTenant: Experiment = {
  t: 'T14',
  title: 'a noisy environment beside a quiet one',
  asked: 'quiet p95 <= 2 s; the noisy environment gets >= 80 % of what it gets alone',
  minutes: 5,
  async run({ world: open, times, progress }) {
    const world = await open();
    const events = times(100_000, 2_000);
    const load = { perSecond: 10_000, bulk: 100 };
    const alone = await openScenario({ world, name: 'T14alone', workflows: ['mail'], load });
    progress(`${Math.round(events / 2)} events of an environment alone`);
    await alone.load.send(Math.round(events / 2));
    const idle = await alone.finish();
    const noisy = await openScenario({ world, name: 'T14noisy', workflows: ['mail'], load });
    const quiet = await openScenario({
      world,
      name: 'T14quiet',
      workflows: ['mail'],
      load: { perSecond: 10, bulk: 1 },
    });
    progress(`${events} events of the noisy environment`);
    const sending = noisy.load.send(events);
    await delay(1_000);
    let isOver = false;
    const whispering = (async () => {
      while (!isOver) await quiet.load.send(10);
    })();
    await sending;
    const begin = Date.now();
    while ((await noisy.open()) > 0 && Date.now() - begin < 240_000) await delay(500);
    isOver = true;
    await whispering;
    const [loud, silent] = [await noisy.finish(), await quiet.finish()];
    progress(`quiet p50 and p95: ${hopsOf(silent.history)}`);
    progress(`noisy p50 and p95: ${hopsOf(loud.history)}`);
    const p95 = percentile(latencies(silent.history), 0.95);
    const [capacity, reached] = [throughput(idle.history), throughput(loud.history)];
    const share = reached / capacity;
    const faults = [...idle.faults, ...loud.faults, ...silent.faults];
    return {
      done: `${loud.acknowledged} events beside 10 each second`,
      figures: [
        {
          what: `quiet p95 ${seconds(p95)} of ${silent.acknowledged} events`,
          reached: p95 <= QUIET_MS,
          isTiming: true,
        },
        {
          what: `noisy ${Math.round(reached)} each second, ${Math.round(share * 100)} % of ${Math.round(capacity)}`,
          reached: share >= NOISY_SHARE,
          isTiming: true,
        },
        ...correctness(faults),
      ],
      faults,
    };
  },
};
