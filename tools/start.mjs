/** `npm start`: everything at once, on the embedded default. */
import { ensureBuilt, ensureDashboard, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies({ onlyToRun: true });
  await ensureBuilt();
  await ensureDashboard();
});
await import('../apps/standalone/dist/main.js');
