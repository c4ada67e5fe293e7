/** What the commands of this folder share: each writes a file from the built code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import process from 'node:process';
import { ensureBuilt, ensureDependencies, root, setUp } from '../setup.mjs';

const checks = process.argv.includes('--check');

/** The exports of a lib, or of a file of an app, as it is built. */
export const builtLib = (name) => built(`libs/${name}`, 'tsconfig.lib.json');
export const builtApp = (name, file) => built(`apps/${name}`, 'tsconfig.app.json', file);

async function built(folder, project, file = 'index') {
  await setUp(async () => {
    await ensureDependencies();
    if (!checks) await ensureBuilt([`${folder}/${project}`]);
  });
  return createRequire(import.meta.url)(join(root, folder, `dist/${file}.js`));
}

/** Writes the file. With `--check` it writes nothing and fails when the file differs; a spec does the same. */
export function writePage(file, textOf) {
  const path = join(root, file);
  const present = readFileSync(path, 'utf8');
  const text = textOf(present);
  if (!checks) {
    writeFileSync(path, text);
    console.log(`${file} is written.`);
  } else if (present !== text) {
    console.log(`${file} differs from the code; run npm run ${basename(process.argv[1], '.mjs')}`);
    process.exitCode = 1;
  }
}
