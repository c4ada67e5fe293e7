/** `npm run authoring`: writes docs/authoring.md from the tables of controls, variables, filters and operators. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt(['libs/contracts/tsconfig.lib.json']);
});
const { authoringPage } = createRequire(import.meta.url)('../libs/contracts/dist/authoring-page.js');
const file = new URL('../docs/authoring.md', import.meta.url);
writeFileSync(file, authoringPage(readFileSync(file, 'utf8')));
console.log('docs/authoring.md is written.');
