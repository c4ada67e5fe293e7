/**
 * A server in a process group of its own outlives us when we are killed without a chance to stop it. The watchdog is a
 * shell that sleeps on a pipe whose other end only this process holds: the kernel closes it however we end, and then the
 * watchdog stops the server in our place. It is told the server's number as soon as there is one, and `release()` sends
 * it home when the server is gone, so it never signals a number that has come round to somebody else.
 */
import { spawn } from 'node:child_process';

export interface Watchdog {
  watch(pid: number): void;
  release(): void;
}

const SCRIPT = `
trap '' HUP INT TERM
read -r server || exit 0
read -r released && exit 0
kill -s "$1" "$server" 2>/dev/null || exit 0
waited=0
while kill -s 0 "$server" 2>/dev/null; do
  [ "$waited" -ge "$3" ] && { kill -s "$2" "$server" 2>/dev/null; exit 0; }
  sleep 1
  waited=$((waited + 1))
done
`;

export interface StopSignals {
  /** Asks for an orderly end. */
  readonly first: 'SIGINT' | 'SIGTERM';
  /** What follows when the server does not end in time. */
  readonly last: 'SIGQUIT' | 'SIGKILL';
  readonly graceMs: number;
}

/** `onMissing` is called when this system has no shell; the server then runs without a watchdog. */
export function startWatchdog(signals: StopSignals, onMissing: (reason: string) => void): Watchdog {
  const grace = String(Math.ceil(signals.graceMs / 1000));
  const names = [signals.first, signals.last].map((signal) => signal.slice('SIG'.length));
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'clarion-watchdog', ...names, grace], {
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', (error) => onMissing(error.message));
  // The pipe breaks when somebody kills the watchdog itself; nothing to do about that here.
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`${pid}\n`),
    release: () => {
      if (!shell.stdin.writableEnded) shell.stdin.end('released\n');
    },
  };
}
