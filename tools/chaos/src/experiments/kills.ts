import { setTimeout as delay } from 'node:timers/promises';
import { correctness, type Experiment } from '../experiment';
import { percentile, seconds } from '../report';
import { openScenario } from '../scenario';
import { openRecoveryWatch } from '../recovery';

const KILLS = 100;
const NOTIFICATIONS = 50_000;

/** T1: one environment has a provider that reads idempotency keys, the other one has a provider that does not. */
export const kills: Experiment = {
  t: 'T1',
  title: 'SIGKILL of a random process',
  asked: '0 lost; key-aware provider: 0 doubled; plain provider: every doubled call flagged; recovery p95 <= 20 s',
  minutes: 8,
  async run({ world: open, random, times, progress }) {
    const world = await open();
    const count = times(KILLS, 6);
    const events = times(NOTIFICATIONS, 1_200);
    const perSecond = Math.max(40, events / (count * 3));
    const load = { perSecond: perSecond / 2, bulk: 10 };
    const plain = await openScenario({ world, name: 'T1p', workflows: ['mail', 'mixed'], load });
    const keyed = await openScenario({ world, name: 'T1k', workflows: ['mail'], emailProvider: 'resend', load });
    const watch = openRecoveryWatch(world.stores);
    const sending = Promise.all([plain.load.send(events / 2), keyed.load.send(events / 2)]);
    for (let kill = 1; kill <= count; kill += 1) {
      await delay(random.between(2_000, 4_000));
      const place = random.pick(world.places.filter(({ isReady }) => isReady));
      world.note({ kill: place.name });
      place.kill();
      watch.crashed();
      progress(
        `kill ${kill} of ${count}: ${place.name}, ${plain.load.events.length + keyed.load.events.length} events`,
      );
    }
    await sending;
    await world.heal();
    const [one, other] = [await plain.finish(), await keyed.finish()];
    const rows = await watch.recoveries();
    const p95Of = (some: typeof rows) =>
      percentile(
        some.map(({ milliseconds }) => milliseconds),
        0.95,
      );
    const p95 = p95Of(rows);
    const longest = Math.max(0, ...rows.map(({ milliseconds }) => milliseconds));
    const once = rows.filter(({ kills }) => kills === 1);
    const faults = [...one.faults, ...other.faults];
    const keys = new Set(other.history.calls.map(({ key }) => key)).size;
    const messages = other.history.records.steps.filter(({ type }) => type === 'email').length;
    return {
      done: `${count} kills in ${one.acknowledged + other.acknowledged} events`,
      figures: [
        ...correctness(faults),
        { what: `key-aware: ${keys} keys for ${messages} messages`, reached: keys === messages },
        { what: `plain: ${one.doubled} doubled, ${one.flagged} flagged`, reached: one.doubled <= one.flagged },
        {
          // A row waits for one more lease each time that a process dies that has it.
          what:
            `recovery p95 ${seconds(p95)}, max ${seconds(longest)} of ${rows.length} rows; ` +
            `p95 ${seconds(p95Of(once))} of the ${once.length} rows that lost one process only`,
          reached: p95 <= 20_000,
          isTiming: true,
        },
      ],
      faults,
    };
  },
};
