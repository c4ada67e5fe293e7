/** `npm run clarion -- <command>`: the operator's commands. */
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt();
});
await import('../apps/standalone/dist/clarion.js');
