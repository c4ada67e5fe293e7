import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type App, type PgBouncer, startPgBouncer } from '@clarion/testing';
import { correctness, type Experiment } from '../experiment';
import { crashPostgres } from '../nemesis';
import { openScenario } from '../scenario';

const PLACES: App[] = ['gateway', 'engine', 'worker-email', 'worker-in-app', 'worker-sms'];

/** T31: transactions share connections, and the pooler itself dies. */
export const pooler: Experiment = {
  t: 'T31',
  title: 'PgBouncer in transaction mode: kills of PgBouncer, restarts of Postgres behind it',
  asked: '0 lost, 0 doubled without a flag, only 2xx and 503 with Retry-After',
  minutes: 2,
  missing: () => (spawnSync('pgbouncer', ['--version']).status === 0 ? undefined : 'pgbouncer is not installed'),
  async run({ ownWorld, times, random, progress }) {
    let bouncer: PgBouncer | undefined;
    const world = await ownWorld({
      places: PLACES,
      databaseUrl: async ({ databaseUrl }) => (bouncer = await startPgBouncer(databaseUrl, { poolSize: 20 })).url(),
    });
    try {
      const rounds = times(10, 1);
      const scenario = await openScenario({
        world,
        name: 'T31',
        workflows: ['mixed'],
        load: { perSecond: 40, bulk: 10 },
      });
      const sending = scenario.load.send(rounds * 6 * 40);
      for (let round = 1; round <= rounds; round += 1) {
        progress(`round ${round} of ${rounds}`);
        await delay(2_000);
        await bouncer!.kill();
        await delay(300);
        await bouncer!.restart();
        await delay(2_000);
        await crashPostgres.run(world, random);
      }
      await sending;
      await world.heal();
      const { faults, acknowledged } = await scenario.finish();
      return {
        done: `PgBouncer ${bouncer!.version}: ${rounds} kills, ${rounds} restarts of Postgres, ${acknowledged} events`,
        figures: correctness(faults),
        faults,
      };
    } finally {
      await world.stop();
      await bouncer?.stop();
    }
  },
};
