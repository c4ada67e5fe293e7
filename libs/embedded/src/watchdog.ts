/**
 * A server in its own process group survives when this process is killed. The watchdog is a shell that blocks on a pipe
 * whose other end only this process holds: the kernel closes the pipe when this process ends, and then the watchdog
 * stops the server. It receives the pid of the server as soon as there is one. `release()` ends the watchdog when the
 * server has exited, so it never signals a reused pid.
 */
import { spawn } from 'node:child_process';

/** Stops the server when this process is killed. */
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
  readonly first: 'SIGINT' | 'SIGTERM';
  /** Sent when the server does not exit in time. */
  readonly last: 'SIGQUIT' | 'SIGKILL';
  readonly graceMs: number;
}

/** `onMissing` is called when the system has no shell; the server then runs without a watchdog. */
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
  // The pipe breaks when the watchdog itself is killed; there is nothing to do then.
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`${pid}\n`),
    release: () => {
      if (!shell.stdin.writableEnded) shell.stdin.end('released\n');
    },
  };
}
