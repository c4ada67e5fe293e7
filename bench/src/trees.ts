import { git, openCheckout } from '@clarion/testing';
import { progress } from './report';
import type { Stage, Tree } from './stage';

const PROJECTS = ['apps/standalone/tsconfig.app.json', 'bench/tsconfig.json'];

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
  const { folder, commit: known, built, remove } = await openCheckout(commit, PROJECTS);
  progress(`costs: checking ${known} out and building it`);
  stage.onStop(remove);
  await built;
  return { folder, commit: known };
}
