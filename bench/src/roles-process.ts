import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { type Role, startRoles } from './roles';

/** The roles named on the command line, in a process of their own. */
async function main(): Promise<void> {
  const roles = await startRoles(process.argv.slice(2) as Role[]);
  process.send?.({ ready: true });
  whenAskedToStop(() => roles.stop());
}

main().catch(exitOnFault);
