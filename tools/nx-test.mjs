/**
 * The `test` target of every Nx project: `npx nx test queue` starts Postgres and Redis and runs the specs of that
 * project. It runs in the folder of the project. Arguments go to jest: `npx nx test queue -- turns`.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { ensureBuilt, ensureBundle, ensureDashboard, ensureDependencies, setUp } from './setup.mjs';
import { runSpecsWithServices, Totals } from './specs.mjs';

const { displayName } = createRequire(import.meta.url)(join(process.cwd(), 'jest.config.cjs'));
const totals = new Totals();

await setUp(async () => {
  await ensureDependencies();
  // Specs import sources, but the embedded servers, the render processes and the started processes come from dist/.
  await ensureBuilt();
  await ensureBundle();
  await ensureDashboard();
  await runSpecsWithServices(totals, { jestArguments: [...process.argv.slice(2), '--selectProjects', displayName] });
  totals.printSummary();
});
