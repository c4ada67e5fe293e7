import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '@clarion/persistence';
import { correctness, type Experiment } from '../experiment';
import { seconds } from '../report';
import { openScenario } from '../scenario';

const FREEZES = 20;
/** Longer than the lease, so that other processes take over while the process is frozen. */
const FROZEN_MS = LEASE_MS + 8_000;

/** T6: a process that does not run for longer than its lease, and then goes on where it was. */
export const frozenProcesses: Experiment = {
  t: 'T6',
  title: 'processes frozen for longer than their lease, in the middle of their work',
  asked: '0 doubled without a flag; 0 lost',
  minutes: 5,
  async run({ world: open, times, progress }) {
    const world = await open();
    // One freeze of an engine, an email worker and a text message worker at the same time.
    const rounds = times(Math.ceil(FREEZES / 3), 1);
    const load = { perSecond: 40, bulk: 10 };
    const scenario = await openScenario({ world, name: 'T6', workflows: ['mixed', 'mail'], load });
    const sending = scenario.load.send(Math.round((rounds * (FROZEN_MS + 4_000) * load.perSecond) / 1000));
    for (let round = 1; round <= rounds; round += 1) {
      await delay(3_000);
      const frozen = [
        world.placesOf('worker-email')[round % 2]!,
        world.placesOf('engine')[round % 2]!,
        world.placesOf('worker-sms')[0]!,
      ];
      progress(`round ${round} of ${rounds}: ${frozen.map(({ name }) => name).join(', ')} for ${seconds(FROZEN_MS)}`);
      world.note({ frozen: frozen.map(({ name }) => name) });
      for (const place of frozen) place.freeze();
      await delay(FROZEN_MS);
      for (const place of frozen) place.resume();
    }
    await sending;
    await world.heal();
    const { faults, acknowledged, doubled, flagged } = await scenario.finish();
    return {
      done: `${rounds * 3} processes frozen for ${seconds(FROZEN_MS)} in ${acknowledged} events`,
      figures: [
        ...correctness(faults),
        { what: `${doubled} doubled, ${flagged} flagged`, reached: doubled <= flagged },
      ],
      faults,
    };
  },
};

const STOPPED_MS = 30_000;

/** T18: as in a rolling deploy; the callers use the gateways that are ready. */
export const rollingDeploys: Experiment = {
  t: 'T18',
  title: 'rolling deploys at 200 requests per second',
  asked: '0 failed requests, 0 doubled, exit code 0 <= 30 s after SIGTERM',
  minutes: 4,
  async run({ world: open, times, progress }) {
    const world = await open();
    const deploys = times(20, 1);
    const scenario = await openScenario({
      world,
      name: 'T18',
      workflows: ['mail', 'inbox'],
      load: { perSecond: times(200, 60), bulk: 1 },
    });
    let isOver = false;
    const sending = (async () => {
      while (!isOver) await scenario.load.send(100);
    })();
    const ends: { code: number | NodeJS.Signals; tookMs: number }[] = [];
    for (let deploy = 1; deploy <= deploys; deploy += 1)
      for (const place of world.places) {
        progress(`deploy ${deploy} of ${deploys}: ${place.name}`);
        ends.push(await place.roll());
      }
    isOver = true;
    await sending;
    const { faults, acknowledged, doubled, history } = await scenario.finish();
    const failed = history.responses.filter(({ status }) => status !== 201).length;
    const codes = ends.filter(({ code }) => code !== 0).length;
    const longest = Math.max(...ends.map(({ tookMs }) => tookMs));
    return {
      done: `${ends.length} processes replaced in ${acknowledged} requests`,
      figures: [
        { what: `${failed} failed requests`, reached: failed === 0 },
        { what: `${doubled} doubled`, reached: doubled === 0 },
        { what: `${codes} exit codes other than 0`, reached: codes === 0 },
        { what: `stopped after ${seconds(longest)} at most`, reached: longest <= STOPPED_MS, isTiming: true },
        ...correctness(faults),
      ],
      faults,
    };
  },
};
