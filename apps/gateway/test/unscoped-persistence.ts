import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A comparison with the environment of the caller, as the repositories write it. */
const ENVIRONMENT_CONDITION = /\b(?:\w+\.)?environment_id (?:=|>=|<=) (\$\d+)(?:::uuid)?/g;

/** How many conditions were removed. */
export const environmentConditions = { removed: 0 };

const root = join(__dirname, '../../..');

/**
 * Copies libs/persistence to a scratch folder and removes the environment from every WHERE. Row-level security must
 * still isolate tenants then. Returns the path of the copy, which is deleted when the process ends.
 */
export function copyPersistenceUnscoped(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-unscoped-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const copy = join(folder, 'persistence');
  cpSync(join(root, 'libs/persistence/src'), copy, { recursive: true });
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(copy, name);
    const text = readFileSync(file, 'utf8').replaceAll(ENVIRONMENT_CONDITION, (_, environment: string) => {
      environmentConditions.removed += 1;
      return `${environment}::uuid IS NOT NULL`;
    });
    writeFileSync(file, text);
  }
  return join(copy, 'index.ts');
}
