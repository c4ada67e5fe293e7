import type { Command } from './command';
import { AUDIT } from './families/audit';
import { BULK } from './families/bulk';
import { DATABASE } from './families/database';
import { DOCTOR } from './families/doctor';
import { ENVIRONMENTS, ORGANIZATIONS } from './families/environments';
import { EXPLAIN } from './families/explain';
import { HOLDS } from './families/holds';
import { KEYS } from './families/keys';
import { IMPORT } from './families/import';
import { LIMITS } from './families/limits';
import { MIGRATE } from './families/migrate';
import { MIRROR } from './families/mirror';
import { QUEUES } from './families/queues';
import { TAIL } from './families/tail';
import { WORK } from './families/work';
import { WORKFLOWS } from './families/workflows';

export const COMMANDS: readonly Command[] = [
  ...MIGRATE,
  ...ORGANIZATIONS,
  ...ENVIRONMENTS,
  ...KEYS,
  ...HOLDS,
  ...WORK,
  ...TAIL,
  ...EXPLAIN,
  ...BULK,
  ...DOCTOR,
  ...DATABASE,
  ...AUDIT,
  ...QUEUES,
  ...LIMITS,
  ...WORKFLOWS,
  ...MIRROR,
  ...IMPORT,
];
