import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { EnvironmentAdmin } from '@clarion/gateway';
import { type Environment, EnvironmentRepository } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import type { TestDatabase } from '@clarion/testing';

export type App = 'gateway' | 'engine' | 'worker-email';

/** An app in a separate process, as in a container. `npm test` builds the apps first. */
export type AppProcess = {
  child: ChildProcess;
  /** The output so far, of both streams. */
  output(): string;
  /** Resolves when the process reports that it is ready, and rejects when it exits first. */
  ready: Promise<void>;
  exited: Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the exit code or signal of the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
};

export function startApp(app: App, environment: Record<string, string>): AppProcess {
  const child = fork(join(__dirname, `../../${app}/dist/main.js`), {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...environment },
    silent: true,
  });
  let text = '';
  child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The event `close` comes after the streams have ended, so that no output is missed.
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1));
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    void exited.then((code) => reject(new Error(`${app} ended with ${code}:\n${text}`)));
  });
  ready.catch(() => undefined);
  return {
    child,
    output: () => text,
    ready,
    exited,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** Creates the default organization and environment, whose secrets are encrypted with these keys. */
export async function createDefaults(
  { database }: TestDatabase,
  encryptionKeys: string,
): Promise<{ environment: Environment; key: string }> {
  const admin = new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(encryptionKeys));
  return (await admin.ensureDefaults())!;
}
