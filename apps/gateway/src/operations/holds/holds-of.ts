import {
  AuditLogRepository,
  type Database,
  HoldRepository,
  IntegrationRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { HoldsService } from './holds.service';

export type { ActedEnvironment } from '../../edge/auth/operator';

/** The holds of a database, for the command line. */
export const holdsOf = (database: Database): HoldsService =>
  new HoldsService(
    database,
    new HoldRepository(database),
    new IntegrationRepository(database),
    new WorkflowRepository(database),
    new AuditLog(new AuditLogRepository(database)),
  );
