/** `npm start`: everything at once, on the embedded default. */
import { ensureBuilt, ensureDashboard, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies({ onlyToRun: true });
  await ensureBuilt();
  await ensureDashboard();
});
// The bundle, if one was made of what is built now: it starts faster and takes less memory.
const { default: platform } = await import('../libs/platform/dist/process/program-file.js');
await import(platform.programFile('standalone'));
