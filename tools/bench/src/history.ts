import { ensurePartitions, WEEK } from '@clarion/persistence';
import { insertHistory } from '@clarion/testing';
import { IN_APP_STEP, Pipeline } from './pipeline';
import { type Figure, median, progress, rate } from './report';
import { timed } from './seed';
import type { Stage } from './stage';

export type HistoryOptions = { small: number; large: number; rounds: number; notifications: number; goal: number };

const HISTORY_SHARE = 250;

/** The cost of a notification with a long history relative to a short one, in alternating rounds. */
export async function history(stage: Stage, options: HistoryOptions): Promise<Figure[]> {
  const short = await openWithPast(stage, 'history_small', options.small);
  const long = await openWithPast(stage, 'history_large', options.large);
  try {
    const warmUp = Math.min(options.notifications, 2_000);
    for (const { pipeline } of [short, long]) await pipeline.deliver(warmUp, 'history: warming up');
    const rates: { short: number; long: number }[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const few = await short.pipeline.deliver(options.notifications, `history: short past, round ${round}`);
      const many = await long.pipeline.deliver(options.notifications, `history: long past, round ${round}`);
      rates.push({ short: few, long: many });
      progress(
        `history: round ${round} of ${options.rounds}: ${rate(few)} with a short past, ${rate(many)} with a long one`,
      );
    }
    const ratio = median(rates.map((round) => round.short / round.long));
    const last = rates.at(-1)!;
    return [
      {
        what:
          `cost of a notification with ${options.large.toLocaleString('en')} stored, ` +
          `to ${options.small.toLocaleString('en')}`,
        measured: `${ratio.toFixed(2)} x (${rate(last.long)} to ${rate(last.short)})`,
        goal: `<= ${options.goal.toFixed(1)} x`,
        reached: ratio <= options.goal,
      },
    ];
  } finally {
    for (const { pipeline, scene } of [short, long]) {
      await pipeline.close();
      await scene.close();
    }
  }
}

/** Notifications of the last four weeks, including the current week. */
async function openWithPast(stage: Stage, name: string, notifications: number) {
  const scene = await stage.open(name);
  const to = Date.now() - 3600 * 1000;
  const from = to - 4 * WEEK;
  await ensurePartitions(scene.database, { from });
  await timed(`history: seeding ${notifications.toLocaleString('en')} notifications`, async () => {
    await insertHistory(scene.database, {
      environmentId: scene.environment.id,
      notifications,
      subscribers: Math.floor(notifications / HISTORY_SHARE),
      from: new Date(from),
      to: new Date(to),
    });
    await scene.database.query('VACUUM ANALYZE');
  });
  await scene.start('engine', 'in_app');
  return { scene, pipeline: await Pipeline.open(scene, 'in-app', IN_APP_STEP) };
}
