import {
  ActivityRepository,
  AuditLogRepository,
  BulkActionRepository,
  type Database,
  IntegrationRepository,
  LimitRepository,
  LookupRepository,
  OverviewRepository,
  StuckRepository,
  UsageRepository,
} from '@clarion/persistence';
import { LookupService } from '../activity/lookup.service';
import { AuditLog } from '../edge/audit-log/audit-log';
import { BulkActionsService } from '../activity/bulk-actions/bulk-actions.service';
import { LimitsService } from './limits.service';
import { WorkOperationsService } from './work-operations.service';

export { toActivityFilter } from '../activity/activity-filter';
export { ActivityTail } from './activity-tail';
export type { NamedEnvironment } from './work-operations.service';

/** The questions of operators to a database, for the command line. */
export const workOperationsOf = (database: Database): WorkOperationsService =>
  new WorkOperationsService(
    new UsageRepository(database),
    new StuckRepository(database),
    new ActivityRepository(database),
    new OverviewRepository(database),
    new LookupService(new LookupRepository(database)),
  );

/** The limits of the environments of a database, for the command line. */
export const limitsOf = (database: Database): LimitsService =>
  new LimitsService(database, new LimitRepository(database), new AuditLog(new AuditLogRepository(database)));

/** The bulk actions of a database, for the command line. */
export const bulkActionsOf = (database: Database): BulkActionsService =>
  new BulkActionsService(
    database,
    new BulkActionRepository(database),
    new ActivityRepository(database),
    new IntegrationRepository(database),
    new AuditLog(new AuditLogRepository(database)),
  );
