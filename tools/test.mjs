/**
 * `npm test`: types and the bundle of the dashboard; the bundle of the apps; then every spec on a real Postgres and a
 * real Redis; then the specs that depend on the queue once more on the Postgres queue backend; then the short
 * benchmarks beside the short chaos run. Format and lint run beside the specs, one after the other: they keep one
 * processor busy, and many specs only wait. A failed step does not stop the others, except that no spec runs without a
 * build. The last line is the sum; a failed step counts as one failure.
 * Arguments go to jest (`npm test -- libs/queue`). Format, lint, benchmarks and chaos are left out then.
 */
import { join } from 'node:path';
import process from 'node:process';
import {
  DASHBOARD_BUILD,
  ensureBundle,
  ensureDependencies,
  node,
  root,
  run,
  seconds,
  SetupError,
  setUp,
} from './setup.mjs';
import { print, runSpecsWithServices, tool, Totals } from './specs.mjs';

const jestArguments = process.argv.slice(2);
const runsEverything = jestArguments.length === 0;
const BUILDS = {
  Types: [tool('@typescript/native/bin/tsc'), '--build'],
  Dashboard: [tool('vite/bin/vite.js'), ...DASHBOARD_BUILD],
};
const CHECKS = {
  Format: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  Lint: [tool('eslint/bin/eslint.js'), '.', '--max-warnings', '0'],
  'Lint with types': [tool('oxlint/bin/oxlint'), '--type-aware', '.'],
};
const totals = new Totals();

await setUp(async () => {
  await ensureDependencies();
  const isBuilt = (await sideBySide(BUILDS)) && (await bundle());
  const checks = inTurn(runsEverything ? CHECKS : {});
  // The specs run meanwhile; an error is thrown when they have ended.
  checks.catch(() => undefined);
  if (isBuilt) await runSpecsWithServices(totals, jestArguments);
  await checks;
  if (isBuilt && runsEverything) {
    // Both wait a lot, and judge results and ratios with wide margins: neither can fail because of the other.
    await sideBySide({ 'Benchmarks (short form)': shortForm('bench'), 'Chaos (short form)': shortForm('chaos') }, true);
  }
  totals.printSummary();
});

function shortForm(folder) {
  return [join(root, folder, 'dist', 'main.js'), '--short'];
}

/** Runs programs side by side. Returns whether all succeeded. */
async function sideBySide(programs, show = false) {
  const titles = Object.keys(programs);
  print(`\n--- ${titles.join(', ')}`);
  const ended = await Promise.allSettled(titles.map((title) => check(title, programs[title], show)));
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken) throw broken.reason;
  return ended.every(({ value }) => value);
}

/** Bundles the apps. Returns whether it succeeded. */
async function bundle() {
  try {
    await ensureBundle();
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    print(error.message);
    totals.fail('Bundle');
    return false;
  }
}

async function inTurn(programs) {
  for (const [title, program] of Object.entries(programs)) await check(title, program);
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
