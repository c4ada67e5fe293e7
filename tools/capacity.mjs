/** `npm run capacity -- --rate 5000 --channels email=0.7,in_app=0.3`: computes the size of an installation. */
import { createRequire } from 'node:module';
import process from 'node:process';
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt(['tools/capacity/tsconfig.json', 'libs/platform/tsconfig.lib.json']);
});
const require = createRequire(import.meta.url);
const { capacity, InputError } = require('./capacity/dist/capacity.js');
const { loadConfig } = require('../libs/platform/dist/index.js');
try {
  process.stdout.write(capacity(process.argv.slice(2), loadConfig().CLARION_DATA_DIR));
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
