/** Installs a program with the system's package manager, if that is possible without a password. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { run } from './setup.mjs';

const TIME_LIMIT_MS = 330_000;

// Debian starts a service when it is installed, unless a policy forbids it. We want only the program. The time limits
// are inside the script, so that the policy is removed in every case.
const apt = (name) => `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' >"$policy"
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
options='-q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o DPkg::Lock::Timeout=60'
timeout 120 apt-get $options update
timeout 180 apt-get $options install -y --no-install-recommends ${name}
`;

const MANAGERS = [
  { program: 'apt-get', script: apt },
  { program: 'apk', script: (name) => `apk add --no-cache ${name}` },
  { program: 'dnf', script: (name) => `dnf install -y ${name}` },
  { program: 'brew', script: (name) => `brew install ${name}`, asUser: true },
];

/** The packages of a program, an empty text where there are none. Without an entry the package has its name. */
const PACKAGES = {
  'redis-server': { apk: 'redis', dnf: 'redis', brew: 'redis' },
  prometheus: { dnf: 'golang-github-prometheus' },
  // With the packages of render.go, which only Debian has.
  go: {
    'apt-get': 'golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev',
    ...{ apk: '', dnf: '', brew: '' },
  },
};

/** Returns true if the program was installed; it is on PATH then. */
export async function installProgram(name, say) {
  const manager = MANAGERS.find(({ program }) => isOnPath(program));
  if (!manager) return false;
  const packages = PACKAGES[name]?.[manager.program] ?? name;
  if (packages === '') return false;
  const isRoot = process.getuid?.() === 0;
  const command = ['/bin/sh', '-c', manager.script(packages)];
  if (manager.asUser ? isRoot : !isRoot) {
    if (manager.asUser || !(await succeeds('sudo', ['-n', 'true']))) return false;
    command.unshift('sudo', '-n');
  }
  say(`Installing ${name} with ${manager.program} ...`);
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

export function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return statSync(join(folder, program)).isFile();
    } catch {
      return false;
    }
  });
}
