import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** The event loop of a process since the last reading. Times are milliseconds. */
export type LoopReading = {
  /** The longest time for which the work of the process blocked the loop, in processor time of its main thread. */
  blockedMs: number;
  /** The longest delay of a timer: it contains the time in which other processes had the processor. */
  lateMs: number;
  /** Processor time of the main thread. */
  cpuMs: number;
  /** The delays of the timer. */
  delays: number[];
};

/** Options of `fork` for a process whose event loop is measured. Always the compiled file. */
export const MEASURED = { execArgv: ['--require', join(__dirname, '..', 'dist', 'loop-probe.js')] };

/** Reads the probe in a child that was started with `MEASURED`, and starts it over. */
export const readLoop = (child: ChildProcess): Promise<LoopReading> => ask<LoopReading>(child, 'loop');

/** The bytes of objects in use of such a child, after a collection of garbage. */
export const readLiveBytes = (child: ChildProcess): Promise<number> => ask<number>(child, 'live');

/** Rejects if the child ends. */
function ask<T>(child: ChildProcess, word: 'loop' | 'live'): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', hear);
      child.off('exit', fail);
    };
    const hear = (message: unknown): void => {
      if (typeof message !== 'object' || message === null || !(word in message)) return;
      settle();
      resolve((message as Record<typeof word, T>)[word]);
    };
    const fail = (code: number | null, signal: string | null): void => {
      settle();
      reject(new Error(`the process ended with ${code ?? signal}`));
    };
    if (child.exitCode !== null || child.signalCode !== null) return fail(child.exitCode, child.signalCode);
    child.on('message', hear);
    child.on('exit', fail);
    child.send(word, (error) => error && fail(null, error.message));
  });
}
