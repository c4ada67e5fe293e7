import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Links of npm to the workspaces. Each checkout needs its own links, or it would load the code of the other one. */
const OWN_PACKAGES = '@clarion';

/** Links the installed packages of a checkout (`root`) into another one, so that only its workspaces differ. */
export function linkPackages(root: string, folder: string): void {
  const installed = join(root, 'node_modules');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, OWN_PACKAGES), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== OWN_PACKAGES && !name.startsWith('.')) symlinkSync(join(installed, name), join(modules, name));
  for (const group of ['libs', 'apps'])
    for (const name of readdirSync(join(folder, group)))
      symlinkSync(join(folder, group, name), join(modules, OWN_PACKAGES, name));
}
