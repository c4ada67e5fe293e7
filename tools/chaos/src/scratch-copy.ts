import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { linkPackages } from '@clarion/testing';

const ROOT = resolve(__dirname, '../../..');

/** A change of a built file: the text must be there, exactly once unless all of them are meant. */
export type Edit = { file: string; from: string; to: string; isEverywhere?: boolean };

/** The text of the file in this folder after the edit. */
export function edited({ file, from, to, isEverywhere }: Edit, folder = ROOT): string {
  const parts = readFileSync(join(folder, file), 'utf8').split(from);
  if (parts.length < 2 || (parts.length > 2 && !isEverywhere))
    throw new Error(`${file} contains ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

/** The built apps and libs in a temporary folder, where their files can be changed. */
export type ScratchCopy = { folder: string; remove(): void };

export function openScratchCopy(edits: readonly Edit[]): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-chaos-copy-'));
  for (const group of ['apps', 'libs'])
    for (const name of readdirSync(join(ROOT, group))) {
      const [from, to] = [join(ROOT, group, name), join(folder, group, name)];
      if (name === 'dashboard' || !existsSync(join(from, 'dist'))) continue;
      mkdirSync(to, { recursive: true });
      cpSync(join(from, 'package.json'), join(to, 'package.json'));
      // A bundle would have the code without the changes.
      const isBundle = (path: string): boolean => /^bundle$|\.bundle\.js$/.test(basename(path));
      cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: (path) => !isBundle(path) });
    }
  linkPackages(ROOT, folder);
  for (const edit of edits) writeFileSync(join(folder, edit.file), edited(edit, folder));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
