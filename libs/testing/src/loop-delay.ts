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

/** Reads the probe in a child that was started with `MEASURED`, and starts it over. Rejects if the child ends. */
export function readLoop(child: ChildProcess): Promise<LoopReading> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', hear);
      child.off('exit', fail);
    };
    const hear = (message: unknown): void => {
      if (typeof message !== 'object' || message === null || !('loop' in message)) return;
      settle();
      resolve(message.loop as LoopReading);
    };
    const fail = (code: number | null, signal: string | null): void => {
      settle();
      reject(new Error(`the process ended with ${code ?? signal}`));
    };
    if (child.exitCode !== null || child.signalCode !== null) return fail(child.exitCode, child.signalCode);
    child.on('message', hear);
    child.on('exit', fail);
    child.send('loop', (error) => error && fail(null, error.message));
  });
}
