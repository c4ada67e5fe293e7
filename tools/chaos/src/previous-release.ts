import { spawnSync } from 'node:child_process';

/**
 * The release before this one while there is no tag. It must be one that accepts a newer schema, which the releases
 * before it do not.
 */
const RECORDED = 'fd2790edc8d3ed3d53a89b71bf2f551618ab1ad5';

const git = (...words: string[]): { status: number | null; stdout: string } =>
  spawnSync('git', words, { cwd: __dirname, encoding: 'utf8' });

/** The newest tag of a release before the current commit, or the recorded commit. */
export function previousRelease(): string {
  const { status, stdout } = git('describe', '--tags', '--abbrev=0', '--match', 'v*.*.*', 'HEAD^');
  return status === 0 ? stdout.trim() : RECORDED;
}

/** Why the release before this one cannot be built here: an archive or a shallow clone does not contain it. */
export function missingRelease(): string | undefined {
  const commit = previousRelease();
  return git('cat-file', '-e', `${commit}^{commit}`).status === 0
    ? undefined
    : `git has no commit ${commit} here; a shallow clone needs git fetch --unshallow`;
}
