/**
 * `npm test`: format, lint, types and the bundle of the dashboard; then every spec on a real Postgres and a real Redis;
 * then the specs that depend on the queue once more on the Postgres queue backend; then the short benchmarks and the
 * short chaos run. A failed step does not stop the others, except that nothing runs without a build. The last line is
 * the sum; a failed step counts as one failure.
 * Arguments go to jest (`npm test -- libs/queue`). Format, lint, benchmarks and chaos are left out then.
 */
import { join } from 'node:path';
import process from 'node:process';
import { DASHBOARD_BUILD, ensureDependencies, node, root, run, seconds, setUp } from './setup.mjs';
import { print, runSpecsWithServices, tool, Totals } from './specs.mjs';

const jestArguments = process.argv.slice(2);
const runsEverything = jestArguments.length === 0;
const BUILDS = {
  Types: [tool('typescript/bin/tsc'), '--build'],
  Dashboard: [tool('vite/bin/vite.js'), ...DASHBOARD_BUILD],
};
const CHECKS = {
  Format: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  Lint: [tool('eslint/bin/eslint.js'), '.', '--max-warnings', '0'],
  ...BUILDS,
};
const totals = new Totals();

await setUp(async () => {
  await ensureDependencies();
  const isBuilt = await checkAll(runsEverything ? CHECKS : BUILDS);
  if (isBuilt) await runSpecsWithServices(totals, jestArguments);
  if (isBuilt && runsEverything) {
    for (const [title, folder] of Object.entries({ Benchmarks: 'bench', Chaos: 'chaos' })) {
      await totals.step(`${title} (short form)`, async () => {
        const program = [join(root, folder, 'dist', 'main.js'), '--short'];
        return (await run(node, program, { show: true })).code === 0;
      });
    }
  }
  totals.printSummary();
});

/** Runs the checks side by side, because each keeps one processor busy. The output of each is shown when it ends. */
async function checkAll(checks) {
  const titles = Object.keys(checks);
  print(`\n--- ${titles.join(', ')}`);
  const begin = Date.now();
  const ended = await Promise.allSettled(
    titles.map(async (title) => {
      const { code, output } = await run(node, checks[title]);
      process.stdout.write(output);
      print(`--- ${title}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds(begin)} s`);
      return { title, succeeded: code === 0 };
    }),
  );
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken) throw broken.reason;
  const results = ended.map(({ value }) => value);
  for (const { title, succeeded } of results) if (!succeeded) totals.fail(title);
  return results.every(({ title, succeeded }) => succeeded || !(title in BUILDS));
}
