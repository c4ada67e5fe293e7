import type { Command } from './command';
import { AUDIT } from './families/audit';
import { ENVIRONMENTS, ORGANIZATIONS } from './families/environments';
import { HOLDS } from './families/holds';
import { KEYS } from './families/keys';
import { MIGRATE } from './families/migrate';
import { QUEUES } from './families/queues';

/** Every command, in the order of the usage. */
export const COMMANDS: readonly Command[] = [
  ...MIGRATE,
  ...ORGANIZATIONS,
  ...ENVIRONMENTS,
  ...KEYS,
  ...HOLDS,
  ...AUDIT,
  ...QUEUES,
];
