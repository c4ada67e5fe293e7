import { type ChildProcess, fork } from 'node:child_process';
import { programFile } from '@clarion/platform';

export type App = 'standalone' | 'gateway' | 'engine' | `worker-${'email' | 'in-app' | 'sms' | 'chat' | 'push'}`;

/** An app in a separate process, as in a container. `npm test` builds the apps first. */
export type AppProcess = {
  child: ChildProcess;
  /** The last part of the output of both streams, at most a megabyte. */
  output(): string;
  /** Resolves when the process reports that it is ready, and rejects when it exits first. */
  ready: Promise<void>;
  exited: Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the exit code or signal of the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
};

const LONGEST_OUTPUT = 1024 * 1024;

/** Processes that run: they must end with this one, however it ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts an app of this checkout, or of another one that is built. `execArgv` are arguments for Node. */
export function startApp(
  app: App,
  environment: Record<string, string>,
  { folder, execArgv = [] }: { folder?: string | undefined; execArgv?: string[] } = {},
): AppProcess {
  const child = fork(programFile(app, { folder }), {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...environment },
    execArgv,
    silent: true,
  });
  running.add(child);
  let text = '';
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-LONGEST_OUTPUT);
  };
  child.stdout!.on('data', keep);
  child.stderr!.on('data', keep);
  // The event `close` comes after the streams have ended, so that no output is missed.
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal ?? 1);
    });
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
