import { Naive } from './naive';
import { EMAIL_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, median, progress, rate } from './report';
import { readPattern } from './rows';
import type { Stage, Tree } from './stage';

export type EmailOptions = { rounds: number; notifications: number; naiveNotifications: number; goal: number };

export async function email(stage: Stage, options: EmailOptions): Promise<Figure[]> {
  const { toNaive, last } = await measureEmail(stage, options);
  return [
    {
      what: 'email end to end, to the naive pipeline with the same call',
      measured: `${toNaive.toFixed(1)} x (${rate(last.clarion)} to ${rate(last.naive)})`,
      goal: `>= ${options.goal.toFixed(1)} x`,
      reached: toNaive >= options.goal,
    },
  ];
}

type Rates = { naive: number; clarion: number };

/** From a bulk call to emails that a provider has accepted, relative to the naive pipeline with the same calls. */
export async function measureEmail(
  stage: Stage,
  options: Omit<EmailOptions, 'goal'>,
  tree?: Tree,
): Promise<{ toNaive: number; last: Rates }> {
  const { scene, provider, close } = await openEmailScene(stage, 'email', { tree });
  await scene.start('engine', 'email');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  await pipeline.deliver(Math.min(options.notifications, 2_000), 'email: warming up');
  const naive = await Naive.start(scene, await readPattern(pipeline.sql, scene.environment.id), provider.url);
  try {
    await naive.deliver(pipeline.subscriberIds, 100);
    const rates: Rates[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const clarion = await pipeline.deliver(options.notifications, `email: round ${round} of ${options.rounds}`);
      const slow = await naive.deliver(pipeline.subscriberIds, options.naiveNotifications);
      rates.push({ naive: slow, clarion });
      progress(`email: round ${round} of ${options.rounds}: ${rate(clarion)} in Clarion, ${rate(slow)} naive`);
    }
    return { toNaive: median(rates.map(({ naive: slow, clarion }) => clarion / slow)), last: rates.at(-1)! };
  } finally {
    await naive.stop();
    await pipeline.close();
    await close();
  }
}
