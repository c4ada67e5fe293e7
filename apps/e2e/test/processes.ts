import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type App = 'gateway' | 'engine' | 'worker-email';

/** An app as a process of its own, as a container runs it. `npm test` has built them. */
export type AppProcess = {
  child: ChildProcess;
  /** Everything that it said so far, on both streams. */
  output(): string;
  /** Resolves when it says that it is ready; fails when it ends first. */
  ready: Promise<void>;
  exited: Promise<number | NodeJS.Signals>;
  /** Asks it to stop; gives how it ended. */
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
  // After its streams have ended, so that nothing of what it said is missed.
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

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
