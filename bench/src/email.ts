import { Naive } from './naive';
import { EMAIL_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, median, progress, rate } from './report';
import { readPattern } from './rows';
import type { Stage } from './stage';

export type EmailOptions = { rounds: number; notifications: number; naiveNotifications: number; goal: number };

/** From a bulk call to emails that a provider has accepted, relative to the naive pipeline with the same calls. */
export async function email(stage: Stage, options: EmailOptions): Promise<Figure[]> {
  const { scene, provider, close } = await openEmailScene(stage, 'email');
  await scene.start('engine', 'email');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  await pipeline.deliver(Math.min(options.notifications, 2_000), 'email: warming up');
  const naive = await Naive.start(scene, await readPattern(pipeline.sql, scene.environment.id), provider.url);
  try {
    await naive.deliver(pipeline.subscriberIds, 100);
    const rates: { naive: number; clarion: number }[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const clarion = await pipeline.deliver(options.notifications, `email: round ${round} of ${options.rounds}`);
      const slow = await naive.deliver(pipeline.subscriberIds, options.naiveNotifications);
      rates.push({ naive: slow, clarion });
      progress(`email: round ${round} of ${options.rounds}: ${rate(clarion)} in Clarion, ${rate(slow)} naive`);
    }
    const last = rates.at(-1)!;
    const ratio = median(rates.map(({ naive: slow, clarion }) => clarion / slow));
    return [
      {
        what: 'email end to end, to the naive pipeline with the same call',
        measured: `${ratio.toFixed(1)} x (${rate(last.clarion)} to ${rate(last.naive)})`,
        goal: `>= ${options.goal.toFixed(1)} x`,
        reached: ratio >= options.goal,
      },
    ];
  } finally {
    await naive.stop();
    await pipeline.close();
    await close();
  }
}
