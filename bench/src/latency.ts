import { Queue, Worker } from 'bullmq';
import { newId } from '@clarion/contracts';
import { Pool as HttpPool } from 'undici';
import { EMAIL_CALL, sendEmail } from './email-call';
import { EMAIL_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, median, progress } from './report';
import { insertRow, readPattern } from './rows';
import type { Scene, Stage } from './stage';

export type LatencyOptions = { runs: number; goal: number };

const COMMITS = 3;
const QUEUE_HOPS = 2;
const WARM_UP = 10;

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
      const called = provider.nextCall();
      const begin = performance.timeOrigin + performance.now();
      await pipeline.triggerOne(run);
      times.sent.push((await called) - begin);
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
  const part = pattern.find(({ table }) => table === 'execution_detail')!;
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
    const { rows } = await pipeline.sql.query(`SELECT 1 FROM step WHERE environment_id = $1 AND state = 'completed'`, [
      scene.environment.id,
    ]);
    if (rows.length > 0) return readPattern(pipeline.sql, scene.environment.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const ms = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;
