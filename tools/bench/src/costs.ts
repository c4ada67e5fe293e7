import { loadavg } from 'node:os';
import { NoCheckoutError } from '@clarion/testing';
import { bytesInQueue, type CostCase, type CostSample, type Extra, measureCase } from './cost-case';
import { type CostName, goalTable, middle, type Pair, sum } from './cost-goals';
import { type EmailOptions, measureEmail } from './email';
import { type FanOutOptions, measureFanOut } from './fan-out';
import { type InAppOptions, measureInApp } from './in-app';
import { timesToProvider } from './latency';
import { EMAIL_STEP, openEmailScene, Pipeline } from './pipeline';
import { type Figure, progress } from './report';
import type { Spent } from './spent';
import type { Stage, Tree } from './stage';
import { describeCurrent, openBase } from './trees';

export type CostsOptions = {
  notifications: number;
  /** How often each case is measured; the base and this commit take turns. */
  rounds: number;
  /** The commit to compare to. */
  base?: string | undefined;
  latencyRuns: number;
  /** The comparison to bare inserts and to the naive pipeline. */
  baselines?: { inApp: Omit<InAppOptions, 'rawGoal' | 'naiveGoal'>; email: Omit<EmailOptions, 'goal'> } | undefined;
  fanOut?: Pick<FanOutOptions, 'small' | 'large'> | undefined;
};

/** The commit that the goals are relative to. */
export const BASE_COMMIT = '14e1602';

const IN_APP: CostCase = { name: 'in-app in bulk', channel: 'in_app', how: 'bulk' };
const EMAIL: CostCase = { name: 'email in bulk', channel: 'email', how: 'bulk' };
const LONE: CostCase = { name: 'lone email', channel: 'email', how: 'lone' };
const CASES = [IN_APP, EMAIL, LONE];
const extras: Extra[] = ['event log', 'webhook endpoint', 'traces', 'Postgres queue'];
/** What most installations have on, one at a time. An earlier commit may not have it. */
const EXTRA_CASES = extras.map((extra): CostCase => ({ ...IN_APP, name: `${IN_APP.name}, ${extra}`, extra }));

/** Slow enough that the worker waits only for the provider. */
const CALL_MS = 50;
const QUEUED = 5_000;
const NO_GOAL = { goal: 'none, it is for npm run capacity', reached: true };

/**
 * The cost of a notification for each part of the system: processor time, which depends little on other load of the
 * machine, and bytes. `npm run capacity` reads the first four figures; the next four are of an in-app message with the
 * event log, a webhook endpoint, traces or the Postgres queue. The last one compares this commit to another
 * one, which this benchmark checks out, builds and drives in the same way, over HTTP and SQL.
 */
export async function costs(stage: Stage, options: CostsOptions): Promise<Figure[]> {
  const current = await describeCurrent();
  const load = loadavg()[0]!;
  const { base, why } = await findBase(stage, options.base);
  const samples = await measureCases(stage, options, base);
  const figures: Figure[] = [];
  for (const kind of CASES) figures.push(await costFigure(stage, kind, samples.after.get(kind)!, options));
  figures.push(await callsAtOnce(stage, options.notifications));
  for (const kind of EXTRA_CASES) figures.push(extraFigure(kind, samples.after));
  const pairs: Partial<Record<CostName, Pair>> = {
    ...pairsOf(samples),
    loneLatency: await latencies(stage, options, base),
    ...(await toBaselines(stage, options, base)),
    ...(options.fanOut && { fanOutMemory: { after: (await measureFanOut(stage, options.fanOut)).memoryMiB } }),
  };
  return [...figures, goalFigure(pairs, { base, why, current, load }, samples)];
}

type Base = { base?: Tree; why?: string };

/** Without a base the figures are still worth printing. */
async function findBase(stage: Stage, commit: string | undefined): Promise<Base> {
  if (commit === undefined) return { why: 'no commit was asked for' };
  try {
    return { base: await openBase(stage, commit) };
  } catch (error) {
    if (!(error instanceof NoCheckoutError)) throw error;
    progress(`costs: there is no comparison: ${error.message}`);
    return { why: error.message };
  }
}

type Samples = Record<'before' | 'after', Map<CostCase, CostSample[]>>;

async function measureCases(stage: Stage, options: CostsOptions, base: Tree | undefined): Promise<Samples> {
  const samples: Samples = { before: new Map(), after: new Map() };
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const kind of [...CASES, ...EXTRA_CASES]) {
      // The order changes with each round, so that a machine that becomes slower favours neither.
      const sides = (['before', 'after'] as const).filter((side) => side === 'after' || (base && !kind.extra));
      for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
        const commit = side === 'before' ? base!.commit : 'this commit';
        const label = `costs: ${kind.name}, ${commit}, round ${round} of ${options.rounds}`;
        progress(label);
        const tree = side === 'before' ? base : undefined;
        const sample = await measureCase(stage, kind, { count: countOf(kind, options), label, tree });
        samples[side].set(kind, [...(samples[side].get(kind) ?? []), sample]);
      }
    }
  }
  return samples;
}

const countOf = ({ how }: CostCase, { notifications }: CostsOptions): number =>
  how === 'bulk' ? notifications : Math.ceil(notifications / 4);

function medianOf<Key extends string>(records: readonly Record<Key, number>[]): Record<Key, number> {
  const keys = [...new Set(records.flatMap((record) => Object.keys(record) as Key[]))];
  const pairs = keys.map((key) => [key, middle(records.map((record) => record[key] ?? 0))]);
  return Object.fromEntries(pairs) as Record<Key, number>;
}

function pairsOf(samples: Samples): Partial<Record<CostName, Pair>> {
  const pairOf = (kind: CostCase, read: (sample: CostSample) => number): Pair => {
    const value = (side: keyof Samples): number | undefined => {
      const found = samples[side].get(kind);
      return found && middle(found.map(read));
    };
    return { before: value('before'), after: value('after') };
  };
  const processor = ({ spent }: CostSample): number => processorOf(spent);
  const updates = (sample: CostSample): number => sum(Object.values(sample.updates));
  return {
    inAppProcessor: pairOf(IN_APP, processor),
    emailProcessor: pairOf(EMAIL, processor),
    loneProcessor: pairOf(LONE, processor),
    inAppLog: pairOf(IN_APP, ({ spent }) => spent.walBytes),
    emailLog: pairOf(EMAIL, ({ spent }) => spent.walBytes),
    inAppStored: pairOf(IN_APP, ({ spent }) => spent.databaseBytes),
    emailStored: pairOf(EMAIL, ({ spent }) => spent.databaseBytes),
    inAppUpdates: pairOf(IN_APP, updates),
    emailUpdates: pairOf(EMAIL, updates),
  };
}

const processorOf = ({ gateway, engine, worker, postgres, redis }: Spent): number =>
  sum([gateway, engine, worker, postgres, redis]);

/** The cost with one thing more, and its ratio to the cost without it. */
function extraFigure(kind: CostCase, samples: Samples['after']): Figure {
  const [spent, plain] = [kind, IN_APP].map((one) => medianOf(samples.get(one)!.map((sample) => sample.spent)));
  const ratios = {
    processor: processorOf(spent!) / processorOf(plain!),
    log: spent!.walBytes / plain!.walBytes,
    stored: spent!.databaseBytes / plain!.databaseBytes,
  };
  const shown = Object.entries(ratios).map(([name, ratio]) => `${name} x ${ratio.toFixed(2)}`);
  return {
    what: kind.name,
    measured: `${shown.join(', ')} of that without it; ${describe(spent!)}`,
    goal: 'none, it is to compare',
    reached: true,
    values: { ...spent, ...ratios },
  };
}

/** Both commits take turns every few triggers, because this figure is time and not processor time. */
async function latencies(stage: Stage, options: CostsOptions, base: Tree | undefined): Promise<Pair> {
  const [after, before] = await timesToProvider(stage, [undefined, ...(base ? [base] : [])], options.latencyRuns);
  const seconds = (all: number[]): number => middle(all) / 1000;
  return { after: seconds(after!), before: before && seconds(before) };
}

/** The baselines write the rows of the commit that they are compared with. */
async function toBaselines(
  stage: Stage,
  { baselines }: CostsOptions,
  base: Tree | undefined,
): Promise<Partial<Record<CostName, Pair>>> {
  if (!baselines) return {};
  const measure = async (tree: Tree | undefined) => ({
    inApp: await measureInApp(stage, baselines.inApp, tree),
    email: await measureEmail(stage, baselines.email, tree),
  });
  const before = base && (await measure(base));
  const after = await measure(undefined);
  return {
    inAppToInserts: { before: before?.inApp.toRaw, after: after.inApp.toRaw },
    inAppToNaive: { before: before?.inApp.toNaive, after: after.inApp.toNaive },
    emailToNaive: { before: before?.email.toNaive, after: after.email.toNaive },
  };
}

/** What each part takes before and after, so that one sees where the difference comes from. */
function partLines({ before, after }: Samples): string[] {
  const partsOf = (samples: CostSample[]): string => describe(medianOf(samples.map(({ spent }) => spent)));
  return CASES.flatMap((kind) => {
    const earlier = before.get(kind);
    if (!earlier) return [];
    const now = after.get(kind)!;
    return [`(${kind.name}, before: ${partsOf(earlier)})`, `(${kind.name}, after:  ${partsOf(now)})`];
  });
}

function goalFigure(
  pairs: Partial<Record<CostName, Pair>>,
  { base, why, current, load }: Base & { current: string | undefined; load: number },
  samples: Samples,
): Figure {
  const { lines, verdicts } = goalTable(pairs);
  const updated = Object.entries(medianOf(samples.after.get(EMAIL)!.map(({ updates }) => updates)));
  const count = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
  const tables = updated.toSorted(([, a], [, b]) => b - a).map(([table, rows]) => `${table} ${rows.toFixed(2)}`);
  const values = Object.entries(pairs).flatMap(([name, { before, after }]) => [
    ...(before === undefined ? [] : [[`${name}Before`, before]]),
    ...(after === undefined ? [] : [[name, after]]),
  ]);
  return {
    what: `this commit (${current ?? 'unknown'}) to ${base ? base.commit : 'none'}`,
    measured:
      `${count('reached')} reached, ${count('MISSED')} missed, ` +
      `${count('not measured') + count('not compared')} not measured or compared`,
    goal: 'none missed',
    reached: count('MISSED') === 0,
    values: Object.fromEntries(values) as Record<string, number>,
    lines: [
      ...(base ? [] : [`There is no comparison: ${why}.`]),
      ...lines,
      ...partLines(samples),
      `(rows updated for an email, by table: ${tables.join(', ') || 'none'})`,
      `(load average before the run: ${load.toFixed(1)}; the time to the provider and the comparisons to bare inserts`,
      'and to naive are elapsed time, which other programs change)',
    ],
  };
}

async function costFigure(stage: Stage, kind: CostCase, samples: CostSample[], options: CostsOptions): Promise<Figure> {
  const spent = medianOf(samples.map((sample) => sample.spent));
  const label = `costs: ${kind.name}, a queue without a worker`;
  progress(label);
  const queueBytes = await bytesInQueue(stage, kind, { count: Math.min(options.notifications, QUEUED), label });
  return {
    what: `one ${kind.channel} notification of ${kind.how === 'bulk' ? 'many' : 'a single-event call'}`,
    measured: describe(spent),
    ...NO_GOAL,
    values: { ...spent, queueBytes },
  };
}

const describe = (cost: Spent): string => {
  const ms = (seconds: number): string => (seconds * 1000).toFixed(3);
  const kib = (bytes: number): string => (bytes / 1024).toFixed(1);
  return (
    `ms of processor: ${ms(cost.gateway)} gateway, ${ms(cost.engine)} engine, ${ms(cost.worker)} worker, ` +
    `${ms(cost.postgres)} Postgres, ${ms(cost.redis)} Redis; ` +
    `KiB: ${kib(cost.databaseBytes)} stored, ${kib(cost.walBytes)} of log`
  );
};

/** The number of concurrent calls of a worker to one account, measured with a slow provider. */
async function callsAtOnce(stage: Stage, notifications: number): Promise<Figure> {
  const { scene, close } = await openEmailScene(stage, 'costs_slow', { words: [`delay=${CALL_MS}`] });
  await scene.start('engine');
  await scene.start('email');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  try {
    await pipeline.deliver(500, 'costs: warming up a slow provider');
    const perSecond = await pipeline.deliver(Math.min(notifications, 5_000), 'costs: a slow provider');
    const calls = (perSecond * CALL_MS) / 1000;
    return {
      what: `one worker and an account that takes ${CALL_MS} ms`,
      measured: `${calls.toFixed(1)} calls at a time (${Math.round(perSecond)}/s)`,
      ...NO_GOAL,
      values: { callsAtOnce: calls },
    };
  } finally {
    await pipeline.close();
    await close();
  }
}
