import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The scripts of the root package.json. */
export const SCRIPTS = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

/** Runs one of `tools/*.mjs` and returns its output. It throws when the command fails. */
export const runTool = (name: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'tools', name), ...args], { cwd: ROOT, encoding: 'utf8' });
