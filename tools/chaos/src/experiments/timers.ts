import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { correctness, type Experiment, type Figure } from '../experiment';
import type { Fault } from '../checker';
import { seconds } from '../report';
import { type Finished, openScenario, type Scenario, TIMER_SECONDS } from '../scenario';
import type { World } from '../world';

const DELAYS = 1_000;
const DIGESTS = 200;
const EVENTS_PER_DIGEST = 3;
const LATE_MS = 5_000;

const early = (faults: readonly Fault[]): Figure => {
  const count = faults.filter(({ kind }) => kind === 'early timer').length;
  return { what: `${count} early`, reached: count === 0 };
};

/**
 * How late the latest delay began and ended. It begins with its notification: after the event, or after the end of the
 * outage if that came later. It is due when its time has passed from there, and not before the end of the outage.
 */
function lateness({ history: { events, records } }: Finished, outageEndedAt: number): number {
  const sent = new Set(events.map(({ transactionId }) => transactionId));
  const delays = records.steps.filter(({ type, transactionId }) => type === 'delay' && sent.has(transactionId));
  const begun = delays
    .filter(({ notifiedAt }) => notifiedAt > outageEndedAt)
    .map(({ notifiedAt }) => notifiedAt - outageEndedAt);
  const ended = delays.map(
    ({ notifiedAt, endedAt }) => endedAt - Math.max(notifiedAt + TIMER_SECONDS * 1000, outageEndedAt),
  );
  return Math.max(0, ...begun, ...ended);
}

/** Half of the events is delayed, the others are collected, several for each subscriber. */
async function openTimers(world: World, name: string, perSecond: number): Promise<Scenario> {
  return openScenario({
    world,
    name,
    workflows: ['delayed', 'digested'],
    load: {
      perSecond,
      bulk: 10,
      event: (n) =>
        n % 2 === 0
          ? { workflow: 'delayed', subscribers: [`s-${n}`] }
          : { workflow: 'digested', subscribers: [`d-${Math.floor(n / (2 * EVENTS_PER_DIGEST))}`] },
    },
  });
}

/** T15: the alarms of the timers are lost with Redis, and every process is replaced while they wait. */
export const timersWithoutRedis: Experiment = {
  t: 'T15',
  title: 'delays and digests over FLUSHALL and restarts of every process',
  asked: '0 early, <= 5 s late, each event in exactly one digest',
  minutes: 2,
  async run({ world: open, times, progress }) {
    const world = await open();
    const delays = times(DELAYS, 90);
    const events = Math.max(2 * delays, 2 * EVENTS_PER_DIGEST * times(DIGESTS, 20));
    const scenario = await openTimers(world, 'T15', events / 3);
    await scenario.load.send(events);
    progress('FLUSHALL, and every process is killed');
    await world.stores.redis.command('FLUSHALL');
    const killedAt = Date.now();
    for (const place of world.places) place.kill();
    await delay(1_000);
    await world.stores.redis.command('FLUSHALL');
    await world.heal();
    const outageEndedAt = Date.now();
    const finished = await scenario.finish();
    const late = lateness(finished, outageEndedAt);
    const { faults } = finished;
    return {
      done:
        `${events / 2} delays and ${events / 2} events of digests, 2 FLUSHALL, ${world.places.length} kills, ` +
        `${seconds(outageEndedAt - killedAt)} without a process`,
      figures: [
        early(faults),
        {
          what: `${seconds(late)} late at most, from the due time or the end of the outage`,
          reached: late <= LATE_MS,
          isTiming: true,
        },
        ...correctness(faults),
      ],
      faults,
    };
  },
};

const FAKETIME_FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib'];

function findFaketime(): string | undefined {
  for (const folder of FAKETIME_FOLDERS.filter((path) => existsSync(path)))
    for (const place of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
      const library = join(place, 'faketime', 'libfaketimeMT.so.1');
      if (existsSync(library)) return library;
    }
  return undefined;
}

/** T16: one engine and one worker run five minutes ahead, the others five minutes behind. */
export const wrongClocks: Experiment = {
  t: 'T16',
  title: 'clocks of engines and workers five minutes ahead and behind',
  asked: '0 early by more than 1 s, 0 doubled',
  minutes: 2,
  missing: () => (findFaketime() ? undefined : 'libfaketime is not installed (Debian: apt-get install faketime)'),
  async run({ world: open, times, progress }) {
    const world = await open();
    const skewed = world.places.filter(({ app }) => app !== 'gateway');
    const skew = (index: number): Record<string, string> => ({
      LD_PRELOAD: findFaketime()!,
      FAKETIME: index % 2 === 0 ? '+5m' : '-5m',
      // Timers of the process itself must not jump.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    });
    progress('starting processes with wrong clocks');
    await Promise.all(skewed.map((place, index) => place.restartWith(skew(index))));
    try {
      const scenario = await openTimers(world, 'T16', 60);
      await scenario.load.send(times(2_000, 240));
      const { faults, acknowledged } = await scenario.finish({ earlyMs: 1_000 });
      return {
        done: `${acknowledged} events of delays and digests with ${skewed.length} wrong clocks`,
        figures: [early(faults), ...correctness(faults)],
        faults,
      };
    } finally {
      await Promise.all(skewed.map((place) => place.restartWith({})));
    }
  },
};
