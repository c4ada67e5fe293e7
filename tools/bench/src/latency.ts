import { Queue, Worker } from 'bullmq';
import { newId } from '@clarion/contracts';
import { Pool as HttpPool } from 'undici';
import { EMAIL_CALL, sendEmail } from './email-call';
import { EMAIL_STEP, openEmailScene, Pipeline, type Provider } from './pipeline';
import { newestCompleted } from './progress-sql';
import { type Figure, median, progress } from './report';
import { insertRow, readPattern } from './rows';
import type { Scene, Stage, Tree } from './stage';

export type LatencyOptions = { runs: number; goal: number };

const COMMITS = 3;
const QUEUE_HOPS = 2;
const WARM_UP = 10;
/** Triggers in a row before another checkout takes its turn. */
const BLOCK = 10;

/**
 * From a single trigger to the call of the provider, relative to the hops that every such pipeline needs: commits,
 * queue, the call.
 */
export async function latency(stage: Stage, { runs, goal }: LatencyOptions): Promise<Figure[]> {
  const { scene, provider, close } = await openEmailScene(stage, 'latency', { words: ['tell'] });
  await scene.start('engine', 'email');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  const hops = await openHops(scene, pipeline, provider.url);
  const times = { sent: [] as number[], commit: [] as number[], hop: [] as number[], call: [] as number[] };
  try {
    for (let run = 0; run < WARM_UP + runs; run += 1) {
      times.sent.push(await timeToProvider(pipeline, provider, run));
      times.commit.push(await timed(() => hops.commit()));
      times.hop.push(await timed(() => hops.queueHop()));
      const answered = provider.nextCall();
      times.call.push(await timed(() => hops.call()));
      await answered;
      if (run % 25 === 24) progress(`latency: ${run + 1} of ${WARM_UP + runs} triggers`);
    }
  } finally {
    await hops.close();
    await pipeline.close();
    await close();
  }
  const p50 = (all: number[]): number => median(all.slice(WARM_UP));
  const sum = COMMITS * p50(times.commit) + QUEUE_HOPS * p50(times.hop) + p50(times.call);
  const ratio = p50(times.sent) / sum;
  const parts =
    `${COMMITS} commits of ${ms(p50(times.commit))}, ${QUEUE_HOPS} queue hops of ${ms(p50(times.hop))}, ` +
    `a call of ${ms(p50(times.call))}`;
  return [
    {
      what: 'a lone trigger to its email at the provider, to the bare hops',
      measured: `${ratio.toFixed(2)} x (p50 ${ms(p50(times.sent))} to ${ms(sum)}: ${parts})`,
      goal: `<= ${goal.toFixed(1)} x`,
      reached: ratio <= goal,
    },
  ];
}

/** Milliseconds from the call of one caller to the call of the provider. */
async function timeToProvider(pipeline: Pipeline, provider: Provider, run: number): Promise<number> {
  const called = provider.nextCall();
  const begin = performance.timeOrigin + performance.now();
  await pipeline.triggerOne(run);
  return (await called) - begin;
}

/** The times of several checkouts, which take turns; undefined is this one. */
export async function timesToProvider(stage: Stage, trees: (Tree | undefined)[], runs: number): Promise<number[][]> {
  const sides: { pipeline: Pipeline; provider: Provider; times: number[]; close(): Promise<void> }[] = [];
  try {
    for (const tree of trees) {
      const { scene, provider, close } = await openEmailScene(stage, 'lone', { words: ['tell'], tree });
      await scene.start('engine', 'email');
      sides.push({ pipeline: await Pipeline.open(scene, 'email', EMAIL_STEP), provider, times: [], close });
    }
    for (let begin = 0; begin < WARM_UP + runs; begin += BLOCK) {
      for (const { pipeline, provider, times } of sides)
        for (let run = begin; run < begin + BLOCK; run += 1) times.push(await timeToProvider(pipeline, provider, run));
      progress(`latency: ${begin + BLOCK} of ${WARM_UP + runs} triggers`);
    }
  } finally {
    for (const { pipeline, close } of sides) {
      await pipeline.close();
      await close();
    }
  }
  return sides.map(({ times }) => times.slice(WARM_UP));
}

/** The bare hops: one committed row, one job from add to processor, one call to the same provider. */
async function openHops(scene: Scene, pipeline: Pipeline, providerUrl: string) {
  await pipeline.triggerOne(0);
  const pattern = await readPatternOnce(scene, pipeline);
  const name = `hop-${newId()}`;
  const queue = new Queue(name, { connection: { url: scene.redisUrl! } });
  let arrived: () => void = () => undefined;
  const connection = { url: scene.redisUrl!, maxRetriesPerRequest: null };
  const worker = new Worker(name, () => Promise.resolve(arrived()), { connection });
  await worker.waitUntilReady();
  const http = new HttpPool(providerUrl, { connections: 1 });
  const part = pattern.at(-1)!;
  return {
    commit: () => insertRow(pipeline.sql, part, { ...part.rows[0], id: newId() }),
    queueHop: async (): Promise<void> => {
      const processed = new Promise<void>((resolve) => (arrived = resolve));
      await queue.add('hop', { v: 1, stepIds: [newId()] }, { removeOnComplete: true });
      await processed;
    },
    call: () => sendEmail(http, EMAIL_CALL),
    async close(): Promise<void> {
      await worker.close();
      await queue.close();
      await http.close();
    },
  };
}

/** The first trigger has to be complete before its rows can be used. */
async function readPatternOnce(scene: Scene, pipeline: Pipeline) {
  for (;;) {
    if (await newestCompleted(pipeline.sql, scene.environment.id))
      return readPattern(pipeline.sql, scene.environment.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const ms = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;
