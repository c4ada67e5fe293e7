/** Runs a program as a container would: another user, no privileges, a read-only file system. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './dockerfile';

/** Runs in a separate mount namespace, in which every file system is read-only. */
const READ_ONLY = `
while read -r _ folder type _; do
  case "$type" in proc|sysfs|devtmpfs|devpts|cgroup*|mqueue) ;; *) mount -o remount,bind,ro "$folder" ;; esac
done </proc/self/mounts
exec "$@"
`;

/** Undefined when this machine can do that, otherwise the reason. */
export function containerFault(): string | undefined {
  if (process.platform !== 'linux') return 'it takes Linux';
  return process.getuid?.() === 0 ? undefined : 'it takes root';
}

/** Provides Node at the path of the base image; it is the Node that runs the specs. */
export function installNode(image: Image): void {
  const folder = join(image.root, 'usr', 'local', 'bin');
  mkdirSync(folder, { recursive: true });
  copyFileSync(process.execPath, join(folder, 'node'));
}

/** Paths below /app are those of the image. */
export function start(image: Image, command: string[], env: Record<string, string>): ChildProcess {
  const [uid = '', gid = ''] = image.user.split(':');
  const path = join(image.root, 'usr', 'local', 'bin');
  const inside = command.map((part) => (part.startsWith('/app/') ? join(image.root, part) : part));
  const asUser = ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  const withoutRights = ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', READ_ONLY, 'sh', ...asUser];
  const whole = [...withoutRights, '/usr/bin/env', `PATH=${path}`, ...inside];
  return spawn(whole[0]!, whole.slice(1), {
    cwd: join(image.root, image.workdir),
    env: { PATH: process.env['PATH'], ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
