import { countRoundTrips, measureRoundTrips } from '@clarion/testing';
import { addIntegration, EMAIL_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, progress } from './report';
import { startRoles } from './roles';
import type { Stage } from './stage';

export type RoundTripsOptions = { lone: number; bulk: number };

/** The limits of the design: for a single trigger with one email, and in total per notification of a bulk call. */
const LONE = { postgres: 8, redis: 14 };
const BULK = 1.0;
const QUIET_MS = 100;

/** Statements and commands per notification. All roles run in this process, where the driver can be observed. */
export async function roundTrips(stage: Stage, { lone, bulk }: RoundTripsOptions): Promise<Figure[]> {
  const { scene, provider, close } = await openEmailScene(stage, 'round_trips', { words: ['tell'], gateway: false });
  const roles = await startRoles(['gateway', 'engine', 'email'], scene.variables);
  await addIntegration(scene);
  const counter = await countRoundTrips(scene);
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  try {
    await pipeline.deliver(1_000, 'round-trips: warming up');
    await counter.quiet(QUIET_MS);
    progress(`round-trips: ${lone} lone triggers`);
    const one = await measureRoundTrips(counter, async () => {
      for (let run = 0; run < lone; run += 1) {
        const called = provider.nextCall();
        await pipeline.triggerOne(run);
        await called;
        await counter.quiet(QUIET_MS);
      }
    });
    progress(`round-trips: ${bulk.toLocaleString('en')} in bulk`);
    const many = await measureRoundTrips(counter, () => pipeline.deliver(bulk, 'round-trips: in bulk'));
    const [postgres, redis] = [one.postgres / lone, one.redis / lone];
    const both = (many.postgres + many.redis) / bulk;
    return [
      {
        what: 'one lone trigger with one email',
        measured: `${postgres.toFixed(1)} Postgres + ${redis.toFixed(1)} Redis`,
        goal: `<= ${LONE.postgres} + ${LONE.redis}`,
        reached: Math.round(postgres) <= LONE.postgres && Math.round(redis) <= LONE.redis,
      },
      {
        what: 'for each of many',
        measured:
          `${both.toFixed(2)} ` +
          `(${(many.postgres / bulk).toFixed(2)} Postgres + ${(many.redis / bulk).toFixed(2)} Redis)`,
        goal: `<= ${BULK.toFixed(1)}`,
        reached: both <= BULK,
      },
    ];
  } finally {
    counter.stop();
    await pipeline.close();
    await roles.stop();
    await close();
  }
}
