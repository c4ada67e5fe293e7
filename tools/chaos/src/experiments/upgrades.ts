import { resolve } from 'node:path';
import { type Checkout, openCheckout } from '@clarion/testing';
import { correctness, type Experiment } from '../experiment';
import { missingRelease, previousRelease } from '../previous-release';
import { seconds } from '../report';
import { openScenario } from '../scenario';
import { runMigrate, type World } from '../world';

const HERE = resolve(__dirname, '../../../..');
const PROJECTS = ['apps/standalone/tsconfig.app.json'];
const ROWS = 1_000_000;
const LONGEST_REQUEST_MS = 3_000;

/** T19: the release before this one and this one on one database, in both directions, while events arrive. */
export const upgrades: Experiment = {
  t: 'T19',
  title: 'upgrade and rollback: two releases side by side, and migrations under load',
  asked: '0 failed jobs; 0 5xx; no request > 3 s',
  minutes: 5,
  missing: missingRelease,
  async run({ ownWorld, times, progress }) {
    progress('building the release before this one');
    const previous = await openCheckout(previousRelease(), PROJECTS);
    let world: World | undefined;
    try {
      await previous.built;
      world = await ownWorld({ folder: previous.folder, hasOwnSchema: true });
      return await upgradeUnderLoad(world, previous, times, progress);
    } finally {
      await world?.stop();
      await previous.remove();
    }
  },
};

async function upgradeUnderLoad(
  world: World,
  previous: Checkout,
  times: (full: number, least: number) => number,
  progress: (text: string) => void,
): ReturnType<Experiment['run']> {
  let longestMs = 0;
  const scenario = await openScenario({
    world,
    name: 'T19',
    workflows: ['mixed', 'delayed', 'digested'],
    load: {
      perSecond: times(100, 40),
      bulk: 5,
      onAnswer: (tookMs) => {
        longestMs = Math.max(longestMs, tookMs);
      },
    },
  });
  const rows = times(ROWS, 20_000);
  progress(`adding ${rows} subscribers`);
  await world.stores.query(
    `INSERT INTO subscriber (id, environment_id, subscriber_id)
     SELECT gen_random_uuid(), $1, 'filler-' || n FROM generate_series(1, $2) n`,
    [scenario.environmentId, rows],
  );

  let isOver = false;
  const sending = (async () => {
    while (!isOver) await scenario.load.send(100);
  })();
  const crashes = (): number => world.places.reduce((sum, place) => sum + place.crashes, 0);
  const rolled: number[] = [];
  /** The Deployments at the same time, the pods of each one after the other. */
  const roll = async (to: string, which: (app: string) => boolean): Promise<void> => {
    const apps = [...new Set(world.places.map(({ app }) => app))].filter(which);
    await Promise.all(
      apps.map(async (app) => {
        for (const place of world.placesOf(app)) rolled.push(Number((await place.roll(to)).code));
      }),
    );
    await scenario.load.send(times(1_000, 200));
  };

  progress('migrating under load');
  const begin = Date.now();
  const output = await runMigrate(HERE, world.stores, world.variables);
  const migratedMs = Date.now() - begin;
  const migrations = output.match(/[a-z]\d{13}\b/gi)?.length ?? 0;
  // Every mixture of two releases, with as few new processes as possible: starting them takes most of the time.
  progress('new gateways with old engines and workers');
  await roll(HERE, (app) => app === 'gateway');
  progress('the new release only');
  await roll(HERE, (app) => app !== 'gateway');
  progress('rolling back: old gateways with new engines and workers');
  // As the hook of the Helm chart does; it must leave the newer schema as it is.
  await runMigrate(previous.folder, world.stores, world.variables);
  await roll(previous.folder, (app) => app === 'gateway');
  progress('the release before only, on the new schema');
  await roll(previous.folder, (app) => app !== 'gateway');
  isOver = true;
  await sending;

  const { faults, acknowledged, history } = await scenario.finish();
  const failedJobs = history.records.steps.filter(({ state }) => state === 'failed').length;
  const errors = history.responses.filter(({ status }) => status >= 500).length;
  const codes = rolled.filter((code) => code !== 0).length;
  return {
    done:
      `${previous.commit} and this release on one database: ${migrations} migrations on ${rows} subscribers in ` +
      `${seconds(migratedMs)}, ${rolled.length} processes replaced both ways in ${acknowledged} events`,
    figures: [
      { what: `${failedJobs} failed jobs`, reached: failedJobs === 0 },
      { what: `${errors} responses with 5xx`, reached: errors === 0 },
      { what: `${crashes()} crashes, ${codes} exit codes other than 0`, reached: crashes() + codes === 0 },
      {
        what: `longest request ${seconds(longestMs)}`,
        reached: longestMs <= LONGEST_REQUEST_MS,
        isTiming: true,
      },
      ...correctness(faults),
    ],
    faults,
  };
}
