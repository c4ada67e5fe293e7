import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { linkPackages } from '@clarion/testing';
import { progress } from './report';
import type { Stage, Tree } from './stage';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../..');
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

/** The reason why there is no tree to compare to, for the reader. */
export class NoBaseError extends Error {}

/** Checks a commit out into a temporary folder and builds it there. The stage removes the folder when it stops. */
export async function openBase(stage: Stage, commit: string): Promise<Tree> {
  const known = await git('rev-parse', '--short', '--verify', '--quiet', `${commit}^{commit}`).catch(
    async (error: unknown) => {
      const isRepository = await git('rev-parse', '--git-dir').catch(() => undefined);
      throw new NoBaseError(
        isRepository === undefined
          ? `git does not work in ${ROOT} (${firstLine(error)})`
          : `git has no commit ${commit} in ${ROOT}; a shallow clone needs git fetch --unshallow`,
      );
    },
  );
  const parent = mkdtempSync(join(tmpdir(), 'clarion-bench-base-'));
  const folder = join(parent, 'tree');
  const interruption = new AbortController();
  const { signal } = interruption;
  const build = async (): Promise<void> => {
    await run('git', ['worktree', 'add', '--detach', folder, known], { cwd: ROOT, signal });
    linkPackages(ROOT, folder);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '--build', ...PROJECTS], { cwd: folder, signal });
  };
  progress(`costs: checking ${known} out and building it`);
  const building = build();
  stage.onStop(async () => {
    interruption.abort();
    // A program that is ending may still write into the folder.
    await building.catch(() => undefined);
    await git('worktree', 'remove', '--force', '--force', folder).catch(() => undefined);
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    await git('worktree', 'prune').catch(() => undefined);
  });
  try {
    await building;
  } catch (error) {
    if (signal.aborted) throw error;
    throw new NoBaseError(`${known} could not be built: ${firstLine(error)}`);
  }
  return { folder, commit: known };
}

async function git(...words: string[]): Promise<string> {
  const { stdout } = await run('git', words, { cwd: ROOT });
  return stdout.trim();
}

/** A failed program explains itself on one of its outputs. */
function firstLine(error: unknown): string {
  const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
  return (stdout.trim() || stderr.trim() || message).split('\n')[0]!;
}
