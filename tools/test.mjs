/**
 * `npm test`: types and the bundles of the dashboard and of the apps, beside format and lint; then the specs of the
 * first tier on a real Postgres and a real Redis. `npm run test:full` runs the specs of both tiers, those that depend
 * on the queue on the Postgres queue backend with the Node of the image too, and then the short benchmarks beside the
 * short chaos run.
 * A failed step does not stop the others, except that no spec runs without a build. The last line is the sum; a failed
 * step counts as one failure.
 *
 * `npm test -- libs/queue` runs the matching specs of both tiers, without format and lint. `--repeat=10` runs them ten
 * times, each time in another order; `--seed=1` repeats an order. Other arguments go to jest.
 */
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  DASHBOARD_BUILD,
  ensureApiTypes,
  ensureBundle,
  ensureDependencies,
  FORMATTER,
  node,
  root,
  run,
  seconds,
  SetupError,
  setUp,
} from './setup.mjs';
import { print, runSpecsWithServices, tool, Totals } from './specs.mjs';

const OPTIONS = { full: { type: 'boolean' }, repeat: { type: 'string' }, seed: { type: 'string' } };
const { full, repeat, seed, jestArguments } = readArguments();
const runsEverything = jestArguments.length === 0;
const BUILDS = {
  Types: [tool('@typescript/native/bin/tsc'), '--build'],
  Dashboard: [tool('vite/bin/vite.js'), ...DASHBOARD_BUILD],
};
const OXLINT = tool('oxlint/bin/oxlint');
/** They read only sources. */
const CHECKS = {
  Format: [FORMATTER, '--list-different'],
  Lint: [OXLINT, '-c', 'oxlint.config.mjs', '.'],
};
/** The compiler reads specs for this check only, which takes as long again. */
const SPECS = ['**/*.spec.ts', '**/test/**', 'libs/testing/**', 'tools/*-specs/**'];
const WITHOUT_SPECS = full ? [] : SPECS.map((pattern) => `--ignore-pattern=${pattern}`);
const TYPED_CHECKS = { 'Lint with types': [OXLINT, '--type-aware', ...WITHOUT_SPECS, '.'] };
const totals = new Totals();

await setUp(async () => {
  await ensureDependencies();
  const [isBuilt] = await together([build(), ...(runsEverything ? [sideBySide(CHECKS)] : [])]);
  if (isBuilt) {
    await runSpecsWithServices(totals, {
      jestArguments,
      firstTier: runsEverything && !full,
      full,
      repeat,
      seed,
    });
    // Both wait a lot, and judge results and ratios with wide margins: neither can fail because of the other.
    if (full)
      await sideBySide(
        { 'Benchmarks (short form)': shortForm('bench'), 'Chaos (short form)': shortForm('chaos') },
        true,
      );
  }
  totals.printSummary();
});

/** The options of this command. Everything else is for jest. */
function readArguments() {
  const { tokens } = parseArgs({ options: OPTIONS, strict: false, allowPositionals: true, tokens: true });
  const own = tokens.filter(({ kind, name }) => kind === 'option' && name in OPTIONS);
  const taken = new Set(
    own.flatMap(({ index, inlineValue }) => (inlineValue === false ? [index, index + 1] : [index])),
  );
  const values = Object.fromEntries(own.map(({ name, value }) => [name, value]));
  return {
    full: 'full' in values,
    repeat: wholeNumber('repeat', 'repeat' in values ? values.repeat : '1'),
    seed: !('seed' in values) ? undefined : wholeNumber('seed', values.seed),
    jestArguments: process.argv.slice(2).filter((_, index) => !taken.has(index)),
  };
}

function wholeNumber(name, value) {
  if (/^[1-9]\d*$/.test(value ?? '')) return Number(value);
  process.stderr.write(`--${name} needs a whole number from 1: npm test -- --${name}=10 libs/queue\n`);
  process.exit(2);
}

function shortForm(folder) {
  return [join(root, 'tools', folder, 'dist', 'main.js'), '--short'];
}

/** Returns whether everything is built that specs need. */
async function build() {
  const isBuilt =
    (await ensured('API types', ensureApiTypes)) &&
    (await sideBySide(BUILDS)) &&
    (await ensured('Bundle', ensureBundle));
  if (runsEverything) await sideBySide(TYPED_CHECKS);
  return isBuilt;
}

/** Runs programs side by side. Returns whether all succeeded. */
async function sideBySide(programs, show = false) {
  const titles = Object.keys(programs);
  print(`\n--- ${titles.join(', ')}`);
  const succeeded = await together(titles.map((title) => check(title, programs[title], show)));
  return succeeded.every(Boolean);
}

/** Waits for all of them, also when one throws. */
async function together(works) {
  const ended = await Promise.allSettled(works);
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken) throw broken.reason;
  return ended.map(({ value }) => value);
}

/** Makes what is not made yet. Returns whether it succeeded. */
async function ensured(title, ensure) {
  try {
    await ensure();
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    print(error.message);
    totals.fail(title);
    return false;
  }
}

/** Runs a program, whose output is shown at once or when it ends. Returns whether it succeeded. */
async function check(title, program, show = false) {
  const begin = Date.now();
  const { code, output } = await run(node, program, { show });
  if (!show) process.stdout.write(output);
  print(`--- ${title}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds(begin)} s`);
  if (code !== 0) totals.fail(title);
  return code === 0;
}
