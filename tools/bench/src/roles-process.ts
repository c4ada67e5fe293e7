import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { type Role, startRoles } from './roles';

/** Runs the roles given as arguments in this process. */
async function main(): Promise<void> {
  const roles = await startRoles(process.argv.slice(2) as Role[]);
  process.send?.({ ready: true });
  whenAskedToStop(() => roles.stop());
}

main().catch(exitOnFault);
