/** `npm run providers`: writes PROVIDERS.md from the registry. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt(['libs/providers/tsconfig.lib.json']);
});
const { providersPage } = createRequire(import.meta.url)('../libs/providers/dist/providers-page.js');
writeFileSync(new URL('../PROVIDERS.md', import.meta.url), providersPage());
console.log('PROVIDERS.md is written.');
