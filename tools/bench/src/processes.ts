import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoopReading, MEASURED, readLiveBytes, readLoop } from '@clarion/testing';

export type Process = {
  pid: number;
  /** Resident memory in MiB. */
  memory(): number;
  /** What is in use of its heap after a collection of garbage, in MiB. */
  liveMemory(): Promise<number>;
  tell(message: object): void;
  /** Resolves with the next message after this one. */
  ask(message: object): Promise<unknown>;
  /** Its event loop since the last reading. */
  readLoop(): Promise<LoopReading>;
  /** Called for each message of the process. */
  listen(hear: (message: unknown) => void): () => void;
  stop(): Promise<void>;
};

/** An interrupted run exits while some of its processes start or are not known to a scene. They must end with it. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGTERM')));

/** Runs a script of this folder, or of another one, in a separate process; resolves with its first message. */
export async function startProcess<Word>(
  script: string,
  words: string[] = [],
  environment: Record<string, string> = {},
  folder = __dirname,
): Promise<{ process: Process; word: Word }> {
  const child = fork(join(folder, `${script}.js`), words, { env: environment, ...MEASURED });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const pid = child.pid!;
  const word = await new Promise<Word>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Word));
    child.once('exit', (code) => reject(new Error(`${[script, ...words].join(' ')} ended with ${code}`)));
  });
  return {
    word,
    process: {
      pid,
      memory: () => (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1024 / 1024,
      liveMemory: async () => (await readLiveBytes(child)) / 1024 / 1024,
      tell: (message) => void child.send(message),
      ask: (message) =>
        new Promise((resolve) => {
          child.once('message', resolve);
          child.send(message);
        }),
      readLoop: () => readLoop(child),
      listen(hear) {
        child.on('message', hear);
        return () => void child.off('message', hear);
      },
      stop: () =>
        new Promise((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) return resolve();
          child.once('exit', () => resolve());
          child.kill('SIGTERM');
        }),
    },
  };
}

/** The delay argument of a fake, in milliseconds: `delay=50`. */
export const delayIn = (words: string[]): number =>
  Number(words.find((word) => word.startsWith('delay='))?.slice('delay='.length) ?? 0);
