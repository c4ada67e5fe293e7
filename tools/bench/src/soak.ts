import { Redis } from 'ioredis';
import { idAtTime } from '@clarion/contracts';
import { addIntegration, EMAIL_STEP, IN_APP_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, progress, rate } from './report';
import { readSpent, type Spent } from './spent';
import type { Stage } from './stage';

export type SoakOptions = {
  seconds: number;
  /** Notifications that are accepted at once; the next ones follow when all of these have ended. */
  batch: number;
  /** The rate of the last quarter, as a share of that of the second quarter. */
  leastRate: number;
  /** What the objects in use of all processes may take more at the end than after the first quarter. */
  memoryMiB: number;
};

const EMAIL_SHARE = 0.7;
const QUARTERS = 4;
const KIB = 1024;

type Sample = { atMs: number; count: number; memoryMiB: number; spent: Spent };

/**
 * Emails and in-app messages of one environment, as fast as this machine delivers them, each role in a process of its
 * own. The first quarter fills caches and tables that were empty, so the later ones are compared with each other.
 */
export async function soak(stage: Stage, options: SoakOptions): Promise<Figure[]> {
  const { scene, close } = await openEmailScene(stage, 'soak', { gateway: false });
  const redis = new Redis(scene.redisUrl!);
  const roles = {
    gateway: await scene.start('gateway'),
    engine: await scene.start('engine'),
    // One worker process of both channels, because the processor time of a worker is read from one process.
    worker: await scene.start('email', 'in_app'),
  };
  await addIntegration(scene);
  const email = await Pipeline.open(scene, 'email', EMAIL_STEP);
  const inApp = await Pipeline.open(scene, 'in-app', IN_APP_STEP);
  try {
    const begin = performance.now();
    let count = 0;
    const read = async (): Promise<Sample> => ({
      atMs: performance.now() - begin,
      count,
      // Resident memory has garbage too, which grows for as long as there is room.
      memoryMiB: (await Promise.all(Object.values(roles).map((role) => role.liveMemory()))).reduce((a, b) => a + b),
      spent: await readSpent(email.sql, redis, roles),
    });
    const samples = [await read()];
    while (samples.length <= QUARTERS || samples.at(-1)!.atMs < options.seconds * 1_000) {
      const emails = Math.round(options.batch * EMAIL_SHARE);
      const first = idAtTime(Date.now() - 1);
      await Promise.all([
        email.accept(emails),
        inApp.accept(options.batch - emails),
        email.untilDone(first, options.batch, 'soak'),
      ]);
      count += options.batch;
      samples.push(await read());
      progress(`soak: ${Math.round(samples.at(-1)!.atMs / 1_000)} of ${options.seconds} s, ${count} notifications`);
    }
    return figuresOf(samples, options);
  } finally {
    await email.close();
    await inApp.close();
    redis.disconnect();
    await close();
  }
}

function figuresOf(samples: Sample[], { leastRate, memoryMiB }: SoakOptions): Figure[] {
  const batches = samples.length - 1;
  const ends = Array.from({ length: QUARTERS + 1 }, (_, at) => samples[Math.round((batches * at) / QUARTERS)]!);
  const rates = ends.slice(1).map((end, quarter) => rateBetween(ends[quarter]!, end));
  const [start, last] = [samples[0]!, samples.at(-1)!];
  const each = Object.fromEntries(
    Object.entries(last.spent).map(([part, value]) => [part, (value - start.spent[part as keyof Spent]) / last.count]),
  ) as Spent;
  const kept = rates.at(-1)! / rates[1]!;
  const grown = last.memoryMiB - ends[1]!.memoryMiB;
  const perCore = (['gateway', 'engine', 'worker', 'postgres', 'redis'] as const).map(
    (part) => `${part} ${rate(1 / each[part])}`,
  );
  const wholeRate = rateBetween(start, last);
  return [
    {
      what: `${last.count} notifications in ${Math.round(last.atMs / 1_000)} s, ${EMAIL_SHARE * 100} % of them emails`,
      measured: `${rate(wholeRate)}; the last quarter of them ${kept.toFixed(2)} x as fast as the second`,
      goal: `>= ${leastRate} x`,
      reached: kept >= leastRate,
      values: { ...each, perSecond: wholeRate, kept },
      lines: [
        `by quarter: ${rates.map(rate).join(', ')}`,
        `one core of: ${perCore.join(', ')}`,
        `KiB of one: ${(each.databaseBytes / KIB).toFixed(1)} stored, ${(each.walBytes / KIB).toFixed(1)} of log`,
      ],
    },
    {
      what: 'objects in use of the three processes after the first quarter',
      measured: `${ends[1]!.memoryMiB.toFixed(1)} MiB, at the end ${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MiB`,
      goal: `+ <= ${memoryMiB} MiB`,
      reached: grown <= memoryMiB,
      values: { memoryMiB: last.memoryMiB, grownMiB: grown },
    },
  ];
}

const rateBetween = (from: Sample, to: Sample): number => ((to.count - from.count) / (to.atMs - from.atMs)) * 1_000;
