import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { systemErrorCode } from './embedded-server-error';

/** A pid alone is not unique: pids are reused after a reboot, and containers have the same small ones. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque start time; empty where the system does not provide it. */
  readonly born: string;
}

/** The process with this pid; undefined when there is none, or only a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !answersSignals(pid)) return undefined;
  const found = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return found?.zombie ? undefined : { pid, born: found?.born ?? '' };
}

export function isRunning(identity: ProcessIdentity): boolean {
  const now = identify(identity.pid);
  return now !== undefined && (now.born === identity.born || now.born === '' || identity.born === '');
}

/** The program and its arguments: a list where the system keeps one, else a single string. */
export function commandLine(pid: number): string[] {
  if (process.platform !== 'linux') {
    const command = ps(pid, 'command=');
    return command ? [command] : [];
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return systemErrorCode(error) === 'EPERM';
  }
}

function fromProc(pid: number): { zombie: boolean; born: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name comes first, in parentheses, and may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', born: `${boot}/${fields[19] ?? ''}` };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): { zombie: boolean; born: string } | undefined {
  const line = ps(pid, 'state=,lstart=');
  return line ? { zombie: line.startsWith('Z'), born: line.replace(/^\S+\s+/, '') } : undefined;
}

function ps(pid: number, columns: string): string {
  const result = spawnSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } });
  return result.stdout?.trim() ?? '';
}
