/**
 * `npm run api-types`: writes the types of the API for the dashboard from the OpenAPI document of the built gateway.
 * With `--check` it writes nothing and fails when the file differs; a spec does the same.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import openapiTS, { astToString } from 'openapi-typescript';
import { ensureBuilt, ensureDependencies, setUp } from './setup.mjs';

const file = new URL('../apps/dashboard/src/api/schema.d.ts', import.meta.url);
const NOTE = '/** The types of the API, written by `npm run api-types`. */\n';

await setUp(async () => {
  await ensureDependencies();
  if (!process.argv.includes('--check')) await ensureBuilt(['apps/gateway/tsconfig.app.json']);
});
const { describeGateway } = createRequire(import.meta.url)('../apps/gateway/dist/index.js');
const types = NOTE + astToString(await openapiTS(withoutProse(await describeGateway())));
if (!process.argv.includes('--check')) {
  writeFileSync(file, types);
  console.log('apps/dashboard/src/api/schema.d.ts is written.');
} else if (readFileSync(file, 'utf8') !== types) {
  console.log('apps/dashboard/src/api/schema.d.ts differs from the OpenAPI document; run npm run api-types');
  process.exitCode = 1;
}

/**
 * Texts and examples are for readers of the reference. Without them a change of words does not change the types, nor
 * does another day: examples with a time in the future are computed. A property of a schema may have such a name too.
 */
function withoutProse(document) {
  const text = JSON.stringify(document, function (key, value) {
    const isText = ['description', 'summary', 'example', 'examples'].includes(key) && typeof value !== 'object';
    const isExampleOfBody = ['example', 'examples'].includes(key) && Object.hasOwn(this, 'schema');
    return isText || isExampleOfBody ? undefined : value;
  });
  return JSON.parse(text);
}
