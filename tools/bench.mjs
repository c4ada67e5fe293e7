/** `npm run bench`: runs the benchmarks and prints their table. */
import { ensureBuilt, ensureBundle, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt(['apps/standalone/tsconfig.app.json', 'tools/bench/tsconfig.json']);
  await ensureBundle();
});
await import('./bench/dist/main.js');
