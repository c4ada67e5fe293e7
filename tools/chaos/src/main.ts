import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { findRedisServer } from '@clarion/embedded';
import { loadConfig } from '@clarion/platform';
import { type Experiment, type Finding, rowOf, scaleOf, type Trial } from './experiment';
import { EXPERIMENTS } from './experiments';
import { mixed } from './experiments/mixed';
import { type Options, readOptions, USAGE, UsageError } from './options';
import { prove } from './prove';
import { seededRandom } from './random';
import { printTable, progress, type Row } from './report';
import { writeTable } from './reliability-page';
import { openWorld, type World, type WorldOptions } from './world';

async function main(): Promise<void> {
  const known = EXPERIMENTS.map(({ t }) => t);
  const options = readOptions(process.argv.slice(2), known, () => randomInt(2 ** 31));
  if (options.help) return void process.stdout.write(`${USAGE}\n`);
  if (options.list) return printList();
  if (!findRedisServer()) {
    // As for the specs: npm test goes on without Redis and says so.
    process.stderr.write('There is no redis-server on PATH: the experiments are left out.\n');
    process.exitCode = options.short ? 0 : 1;
    return;
  }
  const begin = Date.now();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143)));
  const rows = await runSelected(options);
  const failed = rows.filter(({ verdict }) => verdict === 'fail').length;
  const left = rows.filter(({ verdict }) => verdict === 'not run').length;
  if (options.json) process.stdout.write(`${JSON.stringify({ seed: options.seed, rows }, null, 2)}\n`);
  else {
    printTable(rows);
    const took = Math.round((Date.now() - begin) / 1000);
    const sum = `${rows.length - failed - left} passed, ${failed} failed, ${left} not run`;
    process.stdout.write(`\n${sum}, ${took} s, seed ${options.seed}\n`);
  }
  if (options.write) writeTable(join(ROOT, 'docs/reliability.md'), rows, options);
  process.exitCode = failed > 0 || left > 0 ? 1 : 0;
}

const ROOT = resolve(__dirname, '../../..');

function selectedBy({ only, short }: Options): readonly Experiment[] {
  if (short) return [mixed];
  return EXPERIMENTS.filter(({ t }) => only.length === 0 || only.includes(t));
}

/** Deployments that run: they are stopped however the command ends. */
const worlds = new Set<World>();

async function open(seed: number, name: string, options: Omit<WorldOptions, 'historyFile'> = {}): Promise<World> {
  const historyFile = join(loadConfig().CLARION_DATA_DIR, 'chaos', String(seed), `${name}.jsonl`);
  const world = await openWorld({ ...options, historyFile });
  worlds.add(world);
  return world;
}

async function stopAll(): Promise<void> {
  await Promise.all([...worlds].map((world) => world.stop()));
  worlds.clear();
}

async function runSelected(options: Options): Promise<Row[]> {
  try {
    return await (options.prove ? runProofs(options) : runAll(selectedBy(options), options));
  } finally {
    await stopAll();
  }
}

function runProofs({ seed }: Options): Promise<Row[]> {
  process.stderr.write(`seed ${seed}\n`);
  return prove((options) => open(seed, 'proofs', options), seededRandom(seed), progress);
}

function printList(): void {
  for (const { t, title, asked, minutes } of EXPERIMENTS)
    process.stdout.write(`${t.padEnd(4)} ${title} (${minutes} min in full)\n     ${asked}\n`);
}

async function runAll(selected: readonly Experiment[], { minutes, seed }: Options): Promise<Row[]> {
  const full = selected.reduce((sum, experiment) => sum + experiment.minutes, 0);
  const scale = scaleOf(selected, minutes);
  process.stderr.write(`seed ${seed}; ${full} minutes of experiments scaled by ${scale.toFixed(2)}\n`);
  let shared: World | undefined;
  const rows: Row[] = [];
  for (const experiment of selected) {
    const { t } = experiment;
    const trial: Trial = {
      async world() {
        shared ??= await open(seed, 'shared');
        const world = shared;
        await world.heal();
        world.provider.clear();
        world.note({ experiment: t });
        return world;
      },
      ownWorld: (own) => open(seed, t, own),
      random: seededRandom(seed + (Number(t.slice(1)) || 0)),
      times: (count, least) => Math.max(Math.min(least, count), Math.round(count * scale)),
      progress: (text) => progress(`${t}: ${text}`),
    };
    rows.push(await runOne(experiment, trial));
  }
  return rows;
}

async function runOne(experiment: Experiment, trial: Trial): Promise<Row> {
  const begin = Date.now();
  const { t, title, asked, missing } = experiment;
  const reason = missing?.();
  if (reason !== undefined)
    return { t, title, asked, done: '', reached: '', verdict: 'not run', notes: [reason], seconds: 0 };
  trial.progress('starting');
  const finding = await experiment.run(trial).catch((error: unknown): Finding => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`\n${text}\n`);
    return { done: 'stopped by an error', figures: [{ what: text.split('\n')[0]!, reached: false }], faults: [] };
  });
  const row = rowOf(experiment, finding, Math.round((Date.now() - begin) / 1000));
  trial.progress(`${row.verdict} after ${row.seconds} s: ${row.reached}`);
  return row;
}

main()
  .catch((error: unknown) => {
    const isUsage = error instanceof UsageError;
    process.stderr.write(
      `${isUsage ? `${error.message}\n\n${USAGE}` : error instanceof Error ? error.stack : error}\n`,
    );
    process.exitCode = isUsage ? 2 : 1;
  })
  // Connections that a frozen or killed process left open must not keep this one alive.
  .finally(() => process.exit());
