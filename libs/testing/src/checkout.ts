import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { linkPackages } from './link-packages';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../..');

/** The reason why a commit cannot be checked out or built here, for the reader. */
export class NoCheckoutError extends Error {}

/** Another commit of this repository in a temporary folder. */
export type Checkout = {
  folder: string;
  commit: string;
  /** Rejects with a `NoCheckoutError` when the commit does not build. */
  built: Promise<void>;
  /** Stops a build that runs, and removes the folder. */
  remove(): Promise<void>;
};

/** Checks a commit out and begins to build these projects (files of TypeScript's `--build`). */
export async function openCheckout(commit: string, projects: readonly string[]): Promise<Checkout> {
  const known = await git('rev-parse', '--short', '--verify', '--quiet', `${commit}^{commit}`).catch(
    async (error: unknown) => {
      const isRepository = await git('rev-parse', '--git-dir').catch(() => undefined);
      throw new NoCheckoutError(
        isRepository === undefined
          ? `git does not work in ${ROOT} (${firstLine(error)})`
          : `git has no commit ${commit} in ${ROOT}; a shallow clone needs git fetch --unshallow`,
      );
    },
  );
  const parent = mkdtempSync(join(tmpdir(), 'clarion-checkout-'));
  const folder = join(parent, 'tree');
  const interruption = new AbortController();
  const { signal } = interruption;
  /** Neither the build nor the folder may outlive this process, however it ends. */
  const removeAtOnce = (): void => {
    interruption.abort();
    spawnSync('git', ['worktree', 'remove', '--force', '--force', folder], { cwd: ROOT });
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    spawnSync('git', ['worktree', 'prune'], { cwd: ROOT });
  };
  process.once('exit', removeAtOnce);
  const build = async (): Promise<void> => {
    await run('git', ['worktree', 'add', '--detach', folder, known], { cwd: ROOT, signal });
    linkPackages(ROOT, folder);
    const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    // Its types were checked when it was committed.
    await run(process.execPath, [compiler, '--build', '--noCheck', ...projects], { cwd: folder, signal });
  };
  const built = build().catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new NoCheckoutError(`${known} could not be built: ${firstLine(error)}`);
  });
  built.catch(() => undefined);
  return {
    folder,
    commit: known,
    built,
    async remove() {
      interruption.abort();
      // A program that is ending may still write into the folder.
      await built.catch(() => undefined);
      removeAtOnce();
      process.off('exit', removeAtOnce);
    },
  };
}

/** Runs git in this repository and returns what it prints. */
export async function git(...words: string[]): Promise<string> {
  const { stdout } = await run('git', words, { cwd: ROOT });
  return stdout.trim();
}

/** A failed program explains itself on one of its outputs. */
function firstLine(error: unknown): string {
  const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
  return (stdout.trim() || stderr.trim() || message).split('\n')[0]!;
}
