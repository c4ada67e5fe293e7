import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { withTimeoutOr } from '@clarion/contracts/core';
import { EmbeddedServerError, messageOf } from './embedded-server-error';
import { startWatchdog, type StopSignals } from './watchdog';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** Written to its standard input, which is closed afterwards. */
  readonly input?: string;
}

export interface ServerProcess {
  readonly pid: number;
  /** Resolves with a description of how it ended. Never rejects. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** The last lines of its output, oldest first. */
  readonly output: readonly string[];
  /** When it last printed something (`Date.now()`), or when it was started. */
  readonly lastOutputAt: () => number;
  /** Stops it gracefully, and by force after the grace time. */
  stop(): Promise<void>;
}

const OUTPUT_LINES = 50;
const AFTER_FORCE_MS = 5_000;
const LAST_OUTPUT_MS = 500;

/** Starts a server in its own session: Ctrl-C must not reach it before this process has drained. */
export async function startServer(
  command: Command,
  signals: StopSignals,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const watchdog = startWatchdog(signals, (reason) => log(`no watchdog for this server: ${reason}`));
  const child = launch(command);
  if (child.pid !== undefined) watchdog.watch(child.pid);

  const output: string[] = [];
  let lastOutputAt = Date.now();
  collectLines(child, (line) => {
    lastOutputAt = Date.now();
    if (output.push(line) > OUTPUT_LINES) output.shift();
    log(line);
  });

  let ended = false;
  const exited = ending(child).then((how) => {
    ended = true;
    watchdog.release();
    return how;
  });
  const pid = await spawned(child, command);
  let stopping: Promise<void> | undefined;
  // This process may exit when nothing else keeps it alive; the watchdog then stops the server.
  unrefChild(child);
  const stop = async (): Promise<void> => {
    child.ref();
    for (const [signal, graceMs] of [
      [signals.first, signals.graceMs],
      [signals.last, AFTER_FORCE_MS],
      ['SIGKILL', AFTER_FORCE_MS],
    ] as const) {
      if (ended) return;
      child.kill(signal);
      await withTimeoutOr(exited, graceMs, undefined);
    }
  };
  return {
    pid,
    exited,
    hasExited: () => ended,
    output,
    lastOutputAt: () => lastOutputAt,
    stop: () => (stopping ??= stop()),
  };
}

export interface Supervised {
  stop(): Promise<void>;
  /** Resolves with an error when the server exits without `stop()`; stays pending otherwise. */
  readonly died: Promise<EmbeddedServerError>;
}

/** `lastErrorOf` selects the most relevant line of the output; `onExit` runs however the server ends. */
export function supervise(
  name: string,
  server: ServerProcess,
  lastErrorOf: (output: readonly string[]) => string | undefined,
  onExit: () => void,
): Supervised {
  let stopping = false;
  const exited = server.exited.then((how) => {
    onExit();
    return how;
  });
  const died = exited.then((how) => {
    if (stopping) return new Promise<never>(() => undefined);
    const last = lastErrorOf(server.output);
    return new EmbeddedServerError(`The embedded ${name} ${how}${last ? ` (${last})` : ''}: start Clarion again.`);
  });
  const stop = async (): Promise<void> => {
    stopping = true;
    await server.stop();
    await exited;
  };
  return { stop, died };
}

/** Runs a program until it exits; rejects only when it cannot be run at all. */
export async function run(command: Command): Promise<{ succeeded: boolean; how: string; output: string[] }> {
  const child = launch(command);
  const output: string[] = [];
  collectLines(child, (line) => output.push(line));
  const exited = ending(child);
  await spawned(child, command);
  const how = await exited;
  return { succeeded: child.exitCode === 0, how, output };
}

/** A port on the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    if (address === null || typeof address === 'string') throw new Error('no port was assigned');
    return address.port;
  } catch (error) {
    const reason = messageOf(error);
    throw new EmbeddedServerError(
      `No port could be opened on 127.0.0.1 for the embedded servers (${reason}): check the loopback interface.`,
      { cause: error },
    );
  } finally {
    probe.close();
  }
}

function launch(command: Command): ChildProcess {
  const { file, args, input, ...options } = command;
  const child = spawn(file, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  // A program that exits without reading its input breaks the pipe; its exit code explains why.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return child;
}

async function spawned(child: ChildProcess, command: Command): Promise<number> {
  try {
    await once(child, 'spawn');
    if (child.pid === undefined) throw new Error('it has no process number');
    return child.pid;
  } catch (error) {
    const reason = messageOf(error);
    throw new EmbeddedServerError(
      `${command.file} cannot be run (${reason}): check its permissions or install it again.`,
      {
        cause: error,
      },
    );
  }
}

function collectLines(child: ChildProcess, take: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr] satisfies (Readable | null)[]) {
    if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', take);
  }
}

function unrefChild(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
}

async function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      // Its last output may still be in the pipe, but a grandchild can keep the pipe open.
      const timer = setTimeout(() => resolve(how), LAST_OUTPUT_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
}
