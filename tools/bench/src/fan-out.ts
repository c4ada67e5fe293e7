import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { idAtTime, newId } from '@clarion/contracts';
import { IN_APP_STEP, Pipeline } from './pipeline';
import { countFannedOut, countOpenTriggers } from './progress-sql';
import { type Figure, percentile, progress } from './report';
import { withoutGin } from './seed';
import { openPool, type Scene, type Stage } from './stage';

export type FanOutOptions = { small: number; large: number; spread: number; memoryMiB: number; besideMs: number };

const SAMPLE_MS = 250;
const LOOK_MS = 20;
/** A trigger for one subscriber, as often as that while a fan-out runs. */
const BESIDE_EVERY_MS = 200;
/** The heap that Node chooses in a container of 512 MiB, the limit of k8s/base. A larger one keeps more garbage. */
const HEAP_OF_POD = '--max-old-space-size=256 --max-semi-space-size=4';
/** Far longer than a fan-out takes, unless it is stuck. */
const limitMs = (members: number): number => 60_000 + members;

export async function fanOut(stage: Stage, options: FanOutOptions): Promise<Figure[]> {
  const { small, large, spread, memoryMiB, besideMs } = options;
  const { few, many, memoryMiB: grown, before, beside } = await measureFanOut(stage, { small, large });
  const ratio = many / few;
  return [
    {
      what: `time per member, a topic of ${large.toLocaleString('en')} to one of ${small.toLocaleString('en')}`,
      measured: `${ratio.toFixed(2)} x (${perMember(many)} to ${perMember(few)})`,
      goal: `<= ${spread.toFixed(2)} x`,
      reached: ratio <= spread,
    },
    {
      what: 'memory of the engine meanwhile, with the heap of its pod',
      measured: `+${grown.toFixed(0)} MiB (${before.toFixed(0)} -> ${(before + grown).toFixed(0)})`,
      goal: `<= ${memoryMiB} MiB`,
      reached: grown <= memoryMiB,
    },
    {
      what: `a trigger for one subscriber of the same environment meanwhile, until its notification exists (p50, p95)`,
      measured: `${percentile(beside, 0.5).toFixed(0)}, ${percentile(beside, 0.95).toFixed(0)} ms of ${beside.length}`,
      goal: `p95 <= ${besideMs} ms`,
      reached: percentile(beside, 0.95) <= besideMs,
    },
  ];
}

/**
 * Milliseconds for each member of a small and of a large topic, how the engine grew meanwhile, and the milliseconds of
 * each trigger beside the large one.
 */
type FanOutMeasured = { few: number; many: number; before: number; memoryMiB: number; beside: number[] };

/**
 * One trigger to a topic, until all notifications and steps exist: only the engine's part, so no worker runs. The small
 * topic is measured before and after the large one, so that neither warmer caches nor fuller tables favour it.
 */
export async function measureFanOut(
  stage: Stage,
  { small, large }: Pick<FanOutOptions, 'small' | 'large'>,
): Promise<FanOutMeasured> {
  const scene = await stage.open('fan_out', { variables: { NODE_OPTIONS: HEAP_OF_POD } });
  const sql = openPool(scene, 2);
  const engine = await scene.start('engine');
  const pipeline = await Pipeline.open(scene, 'in-app', IN_APP_STEP);
  try {
    await seedTopics(scene, sql, { small, large });
    await walk(pipeline, sql, scene, 'small', small);
    const before = engine.memory();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, engine.memory())), SAMPLE_MS);
    const first = await walk(pipeline, sql, scene, 'small', small);
    const beside: number[] = [];
    const all = await walk(pipeline, sql, scene, 'large', large, beside);
    clearInterval(sampling);
    const second = await walk(pipeline, sql, scene, 'small', small);
    return { few: (first + second) / 2 / small, many: all / large, before, memoryMiB: most - before, beside };
  } finally {
    await pipeline.close();
    await sql.end();
    await scene.close();
  }
}

const perMember = (milliseconds: number): string => `${(milliseconds * 1000).toFixed(0)} us`;

/** Two topics with the same subscribers. */
async function seedTopics(scene: Scene, sql: Pool, sizes: { small: number; large: number }): Promise<void> {
  progress(`fan-out: seeding ${sizes.large.toLocaleString('en')} subscribers`);
  await withoutGin(sql, 'subscriber', () =>
    sql.query(
      `INSERT INTO subscriber (id, environment_id, subscriber_id, email)
       SELECT uuid_v7(), $1, 'member-' || n, 'member' || n || '@example.com' FROM generate_series(1, ${sizes.large}) n`,
      [scene.environment.id],
    ),
  );
  for (const [key, size] of Object.entries(sizes)) {
    progress(`fan-out: seeding a topic of ${size.toLocaleString('en')}`);
    const topicId = newId();
    await sql.query(`INSERT INTO topic (id, environment_id, key) VALUES ($1, $2, $3)`, [
      topicId,
      scene.environment.id,
      key,
    ]);
    await sql.query(
      `INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
       SELECT uuid_v7(), $1, $2, id, subscriber_id FROM subscriber
        WHERE environment_id = $1 AND subscriber_id LIKE 'member-%' LIMIT ${size}`,
      [scene.environment.id, topicId],
    );
  }
  await sql.query('VACUUM ANALYZE');
}

/**
 * Milliseconds from the call to the last notification and its step. With `beside`, single triggers follow each other
 * meanwhile, and their milliseconds are added to it.
 */
async function walk(
  pipeline: Pipeline,
  sql: Pool,
  scene: Scene,
  topicKey: string,
  members: number,
  beside?: number[],
): Promise<number> {
  const after = idAtTime(Date.now() - 1);
  const begin = performance.now();
  await pipeline.trigger({ name: 'in-app', to: [{ type: 'Topic', topicKey }], payload: {} });
  for (let reportedAt = begin; (await countOpenTriggers(sql, scene.environment.id)) > 0;) {
    if (performance.now() - begin > limitMs(members)) throw new Error(`the fan-out to ${topicKey} makes no progress`);
    if (performance.now() - reportedAt > 10_000) {
      reportedAt = performance.now();
      progress(`fan-out: ${topicKey} topic, ${((reportedAt - begin) / 1000).toFixed(0)} s`);
    }
    if (beside) beside.push(await triggerBeside(pipeline, sql, scene, beside.length));
    await pause(beside ? BESIDE_EVERY_MS : LOOK_MS);
  }
  const milliseconds = performance.now() - begin;
  const expected = members + (beside?.length ?? 0);
  const { notifications, steps } = await countFannedOut(sql, scene.environment.id, after);
  if (notifications !== expected || steps !== expected) {
    throw new Error(`a topic of ${members} became ${notifications} notifications with ${steps} steps, not ${expected}`);
  }
  progress(`fan-out: ${members.toLocaleString('en')} members in ${(milliseconds / 1000).toFixed(1)} s`);
  return milliseconds;
}

/** Milliseconds until the trigger of the topic is the only open one again. */
async function triggerBeside(pipeline: Pipeline, sql: Pool, scene: Scene, number: number): Promise<number> {
  const begin = performance.now();
  await pipeline.triggerOne(number);
  while ((await countOpenTriggers(sql, scene.environment.id)) > 1) await pause(LOOK_MS);
  return performance.now() - begin;
}
