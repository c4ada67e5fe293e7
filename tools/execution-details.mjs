/** `npm run execution-details`: writes docs/execution-details.md from the catalogue. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt(['libs/contracts/tsconfig.lib.json']);
});
const { executionDetailsPage } = createRequire(import.meta.url)('../libs/contracts/dist/execution-details-page.js');
writeFileSync(new URL('../docs/execution-details.md', import.meta.url), executionDetailsPage());
console.log('docs/execution-details.md is written.');
