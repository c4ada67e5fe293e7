/**
 * Prints the versions of the programs that specs run. Nx reads this as an input of the `test` targets, so that a result
 * is not taken from the cache after Redis, Prometheus or Node has been installed, removed or upgraded.
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const VERSION = { kubectl: ['version', '--client'], go: ['version'] };

console.log(`node ${process.version} ${process.platform} ${process.arch}`);
for (const program of ['redis-server', 'pgbouncer', 'prometheus', 'chromium', 'kubectl', 'go']) {
  const { stdout } = spawnSync(program, VERSION[program] ?? ['--version']);
  console.log(`${program}: ${stdout?.toString().trim() || 'missing'}`);
}
