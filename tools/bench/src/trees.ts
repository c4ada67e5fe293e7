import { join } from 'node:path';
import { git, openCheckout } from '@clarion/testing';
import { progress } from './report';
import type { Stage, Tree } from './stage';

/** The commit of this checkout, with a word about changes that are not committed; undefined without git. */
export async function describeCurrent(): Promise<string | undefined> {
  try {
    const commit = await git('rev-parse', '--short', 'HEAD');
    const changes = await git('status', '--porcelain', '--untracked-files=no');
    return changes === '' ? commit : `${commit} with uncommitted changes`;
  } catch {
    return undefined;
  }
}

/** Checks a commit out into a temporary folder and builds it there. The stage removes the folder when it stops. */
export async function openBase(stage: Stage, commit: string): Promise<Tree> {
  // Older commits have the benchmarks at the top level.
  const isOlder = (await git('ls-tree', '--name-only', commit, 'tools/bench').catch(() => '')) === '';
  const bench = isOlder ? 'bench' : 'tools/bench';
  const projects = ['apps/standalone/tsconfig.app.json', `${bench}/tsconfig.json`];
  const { folder, commit: known, built, remove } = await openCheckout(commit, projects);
  progress(`costs: checking ${known} out and building it`);
  stage.onStop(remove);
  await built;
  return { folder, programs: join(folder, bench, 'dist'), commit: known };
}
