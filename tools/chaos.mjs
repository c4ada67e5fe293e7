/** `npm run chaos`: breaks real processes on purpose and prints the verdicts. docs/reliability.md says how. */
import { ensureBuilt, ensureBundle, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt(['apps/standalone/tsconfig.app.json', 'tools/chaos/tsconfig.json']);
  await ensureBundle();
});
await import('./chaos/dist/main.js');
