import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A comparison with the environment of the caller, as the repositories write it. */
const FIRST_WALL = /\b(?:\w+\.)?environment_id (?:=|>=|<=) (\$\d+)(?:::uuid)?/g;

/** How many conditions there were. */
export const sabotage = { removed: 0 };

const root = join(__dirname, '../../..');

/**
 * A scratch copy of libs/persistence in which no statement asks for the environment any more: the mistake that the second
 * wall is for, made everywhere at once. Its path; it goes when the process ends.
 */
export function withoutFirstWall(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-sabotage-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const copy = join(folder, 'persistence');
  cpSync(join(root, 'libs/persistence/src'), copy, { recursive: true });
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(copy, name);
    const text = readFileSync(file, 'utf8').replaceAll(FIRST_WALL, (_, environment: string) => {
      sabotage.removed += 1;
      return `${environment}::uuid IS NOT NULL`;
    });
    writeFileSync(file, text);
  }
  return join(copy, 'index.ts');
}
