#!/usr/bin/env node
/** `npx clarion <command>`, or `npm run clarion -- <command>`: runs a command of the operator. */
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies({ onlyToRun: true });
  await ensureBuilt();
});
await import('../apps/standalone/dist/clarion.js');
