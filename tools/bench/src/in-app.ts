import { Naive } from './naive';
import { IN_APP_STEP, Pipeline } from './pipeline';
import { type Figure, median, progress, rate } from './report';
import { insertRaw, readPattern } from './rows';
import type { Stage, Tree } from './stage';

export type InAppOptions = {
  rounds: number;
  notifications: number;
  naiveNotifications: number;
  rawGoal: number;
  naiveGoal: number;
};

export async function inApp(stage: Stage, options: InAppOptions): Promise<Figure[]> {
  const { toRaw, toNaive, last } = await measureInApp(stage, options);
  return [
    {
      what: 'in-app end to end, to a set-based insert of the same rows',
      measured: `${toRaw.toFixed(2)} x (${rate(last.clarion)} to ${rate(last.raw)})`,
      goal: `>= ${options.rawGoal.toFixed(2)} x`,
      reached: toRaw >= options.rawGoal,
    },
    {
      what: 'in-app end to end, to the naive pipeline',
      measured: `${toNaive.toFixed(1)} x (${rate(last.clarion)} to ${rate(last.naive)})`,
      goal: `>= ${options.naiveGoal.toFixed(1)} x`,
      reached: toNaive >= options.naiveGoal,
    },
  ];
}

type Rates = { raw: number; naive: number; clarion: number };

/** From a bulk call to message rows with their details, relative to the bare rows and to the naive pipeline. */
export async function measureInApp(
  stage: Stage,
  options: Pick<InAppOptions, 'rounds' | 'notifications' | 'naiveNotifications'>,
  tree?: Tree,
): Promise<{ toRaw: number; toNaive: number; last: Rates }> {
  const scene = await stage.open('in_app', { tree });
  await scene.start('engine', 'in_app');
  const pipeline = await Pipeline.open(scene, 'in-app', IN_APP_STEP);
  await pipeline.deliver(Math.min(options.notifications, 2_000), 'in-app: warming up');
  const pattern = await readPattern(pipeline.sql, scene.environment.id);
  const naive = await Naive.start(scene, pattern);
  try {
    await naive.deliver(pipeline.subscriberIds, 100);
    const rates: Rates[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const raw = await insertRaw(pipeline.sql, pattern, pipeline.subscriberIds, options.notifications);
      const clarion = await pipeline.deliver(options.notifications, `in-app: round ${round} of ${options.rounds}`);
      const slow = await naive.deliver(pipeline.subscriberIds, options.naiveNotifications);
      rates.push({ raw, naive: slow, clarion });
      progress(
        `in-app: round ${round} of ${options.rounds}: ` +
          `${rate(clarion)} in Clarion, ${rate(raw)} bare, ${rate(slow)} naive`,
      );
    }
    return {
      toRaw: median(rates.map(({ raw, clarion }) => clarion / raw)),
      toNaive: median(rates.map(({ naive: slow, clarion }) => clarion / slow)),
      last: rates.at(-1)!,
    };
  } finally {
    await naive.stop();
    await pipeline.close();
    await scene.close();
  }
}
