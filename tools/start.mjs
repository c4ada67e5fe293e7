/** `npm start`: everything at once, on the embedded default. */
import { ensureBuilt, ensureBundle, ensureDashboard, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  const { isForDevelopment } = await ensureDependencies({ onlyToRun: true });
  await ensureBuilt();
  await ensureDashboard();
  // The bundle starts faster and takes less memory. Who develops compiles often and would wait for it each time.
  if (!isForDevelopment) await ensureBundle();
});
const { default: platform } = await import('../libs/platform/dist/process/program-file.js');
await import(platform.programFile('standalone'));
