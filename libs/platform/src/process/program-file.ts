import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const WORKSPACE = resolve(__dirname, '../../../..');

/**
 * The file that runs a program of an app, by default the app itself. It is the bundle (tools/bundle), which needs about
 * half of the processor time to start, or less. If something was compiled or installed after the bundle was made, or
 * there is none, it is the file of the compiler.
 */
export function programFile(app: string, { program = 'main', folder = WORKSPACE } = {}): string {
  const inDist = (name: string): string => join(folder, 'apps', app, 'dist', name);
  const bundle = inDist(`${program}.bundle.js`);
  const bundledAt = changedAt(bundle);
  const isFresh = bundledAt > 0 && inputsOf(folder).every((file) => changedAt(file) <= bundledAt);
  return isFresh ? bundle : inDist(`${program}.js`);
}

/** Files that change with what is in the bundle. The compiler writes a file each time that it compiles a project. */
function inputsOf(folder: string): string[] {
  const projects = (group: string): string[] =>
    readdirSync(join(folder, group)).map((name) => join(folder, group, name));
  const bundled = projects('apps').filter((app) => existsSync(join(app, 'dist/main.bundle.js')));
  return [
    join(folder, 'package-lock.json'),
    join(folder, 'tools/bundle/bundle.mjs'),
    join(folder, 'tools/bundle/launch.cjs'),
    ...projects('libs').map((lib) => join(lib, 'dist/tsconfig.lib.tsbuildinfo')),
    ...bundled.map((app) => join(app, 'dist/tsconfig.app.tsbuildinfo')),
  ];
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
