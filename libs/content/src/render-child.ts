import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { eachLine, type ProcessOptions } from './render-protocol';

/** Always the compiled file, also when this module is loaded from `src` (in specs). */
const PROCESS_FILE = join(__dirname, '..', 'dist', 'render-process.js');

/** Young objects take up to three times this, in addition to `heapMb`. */
const SEMI_SPACE_MB = 4;

/** The unit of the times in `/proc`. */
const TICK_MS = 10;

/** Of what a process writes to its standard error, for the error when it cannot start. */
const MOST_ERROR_CHARACTERS = 2_000;

/**
 * One render process. It has no environment variables but the time zone, and ends when this process ends. Unlike a
 * thread it can be ended at any time, also inside a long operation of the engine, and its end by lack of memory ends
 * nothing else.
 */
export class RenderChild {
  private readonly child;
  private readonly streams: { ref(): void; unref(): void }[];
  private readonly closed: Promise<unknown>;

  /** `onEnd` is called once, after the last message. */
  constructor(
    { heapMb, ...options }: ProcessOptions & { heapMb: number },
    { onMessage, onEnd }: { onMessage: (message: string) => void; onEnd: (error: Error) => void },
  ) {
    const flags = [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${SEMI_SPACE_MB}`];
    const child = spawn(process.execPath, [...flags, PROCESS_FILE, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { TZ: 'UTC' },
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, MOST_ERROR_CHARACTERS);
    });
    // The pipe breaks when the process ends, which is reported below.
    child.stdin.on('error', () => undefined);
    eachLine(child.stdout, onMessage);
    this.closed = once(child, 'close').catch(() => undefined);
    child.on('error', onEnd);
    child.on('close', (code, signal) => {
      onEnd(new Error(`The render process ended (${signal ?? code}). ${errors}`.trim()));
    });
    this.child = child;
    // The streams of a child process are sockets.
    this.streams = [child, child.stdin, child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[];
  }

  send(message: string): void {
    this.child.stdin.write(`${message}\n`);
  }

  /** Keeps this process alive. */
  ref(): void {
    for (const stream of this.streams) stream.ref();
  }

  unref(): void {
    for (const stream of this.streams) stream.unref();
  }

  /** Lets the event loop and the processes of other environments run first. Raising it again needs a privilege. */
  lowerPriority(nice: number): void {
    try {
      setPriority(this.child.pid!, nice);
    } catch {
      // A sandbox may forbid this; the process then keeps the normal priority.
    }
  }

  /** The processor time that the process has used; undefined where the system does not say (only Linux does). */
  processorMs(): number | undefined {
    try {
      const [, fields] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ');
      const [user, system] = fields!.split(' ').slice(11, 13).map(Number);
      return (user! + system!) * TICK_MS;
    } catch {
      return undefined;
    }
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }
}
