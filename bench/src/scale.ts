import { EMAIL_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, median, progress, rate } from './report';
import type { Stage } from './stage';

export type ScaleOptions = { rounds: number; notifications: number; goal: number };

const CALL_MS = 50;

/** Two workers of one channel against one, with a provider that is slow enough to be what everybody waits for. */
export async function scale(stage: Stage, options: ScaleOptions): Promise<Figure[]> {
  const { scene, close } = await openEmailScene(stage, 'scale', { words: [`delay=${CALL_MS}`] });
  await scene.start('engine');
  await scene.start('email');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  try {
    await pipeline.deliver(Math.min(options.notifications, 500), 'scale: warming up');
    const rates: { one: number; two: number }[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const one = await pipeline.deliver(options.notifications, `scale: one worker, round ${round}`);
      const second = await scene.start('email');
      await pipeline.deliver(500, 'scale: warming up the second');
      const two = await pipeline.deliver(options.notifications, `scale: two workers, round ${round}`);
      await second.stop();
      rates.push({ one, two });
      progress(`scale: round ${round} of ${options.rounds}: ${rate(one)} with one worker, ${rate(two)} with two`);
    }
    const ratio = median(rates.map(({ one, two }) => two / one));
    const last = rates.at(-1)!;
    return [
      {
        what: `two email workers to one, ${CALL_MS} ms a call`,
        measured: `${ratio.toFixed(2)} x (${rate(last.two)} to ${rate(last.one)})`,
        goal: `>= ${options.goal.toFixed(1)} x`,
        reached: ratio >= options.goal,
      },
    ];
  } finally {
    await pipeline.close();
    await close();
  }
}
