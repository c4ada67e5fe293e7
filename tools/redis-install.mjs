/** Gets a `redis-server` through the system's package manager, where that is possible without asking anybody. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { run } from './setup.mjs';

const TIME_LIMIT_MS = 330_000;

// Debian starts a service as soon as it is installed, unless a policy forbids it; we want the program only. The time
// limits are inside, so that the policy goes whatever happens.
const APT = `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' >"$policy"
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
options='-q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o DPkg::Lock::Timeout=60'
timeout 120 apt-get $options update
timeout 180 apt-get $options install -y --no-install-recommends redis-server
`;

const MANAGERS = [
  { program: 'apt-get', script: APT },
  { program: 'apk', script: 'apk add --no-cache redis' },
  { program: 'dnf', script: 'dnf install -y redis' },
  { program: 'brew', script: 'brew install redis', asUser: true },
];

/** True when an attempt was made and went well; the program is then on PATH. */
export async function installRedis(say) {
  const manager = MANAGERS.find(({ program }) => isOnPath(program));
  if (!manager) return false;
  const isRoot = process.getuid?.() === 0;
  const command = ['/bin/sh', '-c', manager.script];
  if (manager.asUser ? isRoot : !isRoot) {
    if (manager.asUser || !(await succeeds('sudo', ['-n', 'true']))) return false;
    command.unshift('sudo', '-n');
  }
  say(`Installing redis-server with ${manager.program} ...`);
  const [file, ...args] = command;
  return succeeds(file, args);
}

async function succeeds(file, args) {
  try {
    return (await run(file, args, { timeoutMs: TIME_LIMIT_MS })).code === 0;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return statSync(join(folder, program)).isFile();
    } catch {
      return false;
    }
  });
}
