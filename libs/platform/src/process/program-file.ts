import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const WORKSPACE = resolve(__dirname, '../../../..');

/**
 * The file that runs an app: its bundle (tools/bundle), which needs half of the processor time to start, or less. If
 * something was compiled after the bundle was made, or there is none, it is the file of the compiler.
 */
export function programFile(app: string, folder = WORKSPACE): string {
  const inDist = (name: string): string => join(folder, 'apps', app, 'dist', name);
  const bundle = inDist('bundle.js');
  const bundledAt = changedAt(bundle);
  // The compiler writes these files each time that it compiles a project.
  const compiled = readdirSync(join(folder, 'libs')).map((name) =>
    join(folder, 'libs', name, 'dist/tsconfig.lib.tsbuildinfo'),
  );
  const compiledAt = Math.max(...[...compiled, inDist('tsconfig.app.tsbuildinfo')].map(changedAt));
  return bundledAt > 0 && bundledAt >= compiledAt ? bundle : inDist('main.js');
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
