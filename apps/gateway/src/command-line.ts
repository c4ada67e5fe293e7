/** What the command line uses: services without HTTP. They load neither the Nest application nor the controllers. */
import { TemplateRenderer } from '@clarion/content';
import {
  ActivityRepository,
  AuditLogRepository,
  BulkActionRepository,
  type Database,
  DryRunRepository,
  HoldRepository,
  IntegrationRepository,
  LayoutRepository,
  LimitRepository,
  LookupRepository,
  MirrorRepository,
  NotificationRepository,
  OverviewRepository,
  StuckRepository,
  SubscriberRepository,
  SuppressionRepository,
  SurroundingsRepository,
  UsageRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import type { Egress, SecretBox } from '@clarion/platform';
import { BulkActionsService } from './activity/bulk-actions/bulk-actions.service';
import { LookupService } from './activity/lookup.service';
import { WorkflowDirectory } from './authoring/workflows/workflow-directory';
import { AuditLog } from './edge/audit-log/audit-log';
import { HoldsService } from './operations/holds/holds.service';
import { LimitsService } from './operations/limits.service';
import { WorkOperationsService } from './operations/work-operations.service';
import { MirrorService } from './switching/mirror/mirror.service';
import { DryRunService } from './triggers/dry-run.service';
import { ExplanationService } from './triggers/explain/explanation.service';

export { toActivityFilter } from './activity/activity-filter';
export * from './authoring/promotion/promotion';
export * from './authoring/promotion/promotion-of';
export * from './authoring/promotion/resource-kind';
export * from './authoring/promotion/resource-list';
export type { ActedEnvironment } from './edge/auth/operator';
export { ActivityTail } from './operations/activity-tail';
export * from './operations/audit.service';
export * from './operations/doctor.service';
export * from './operations/environments/environment-admin';
export * from './operations/environments/key-input';
export * from './operations/explain-everywhere';
export * from './operations/queues.service';
export type { NamedEnvironment } from './operations/work-operations.service';
export * from './switching/import/import-of';

const auditLogOf = (database: Database): AuditLog => new AuditLog(new AuditLogRepository(database));

/** The questions of operators. */
export const workOperationsOf = (database: Database): WorkOperationsService =>
  new WorkOperationsService(
    new UsageRepository(database),
    new StuckRepository(database),
    new ActivityRepository(database),
    new OverviewRepository(database),
    new LookupService(new LookupRepository(database)),
  );

export const limitsOf = (database: Database): LimitsService =>
  new LimitsService(database, new LimitRepository(database), auditLogOf(database));

export const bulkActionsOf = (database: Database): BulkActionsService =>
  new BulkActionsService(
    database,
    new BulkActionRepository(database),
    new ActivityRepository(database),
    new IntegrationRepository(database),
    auditLogOf(database),
  );

export const holdsOf = (database: Database): HoldsService =>
  new HoldsService(
    database,
    new HoldRepository(database),
    new IntegrationRepository(database),
    new WorkflowRepository(database),
    auditLogOf(database),
  );

export const mirrorsOf = (database: Database, egress: Egress, secrets: SecretBox): MirrorService =>
  new MirrorService(database, new MirrorRepository(database), egress, secrets, auditLogOf(database));

export function explanationsOf(
  database: Database,
  secrets: SecretBox,
): { explanations: ExplanationService; close(): Promise<void> } {
  const renderer = new TemplateRenderer({ processes: 1 });
  const dryRuns = new DryRunService(
    database,
    new DryRunRepository(database),
    new IntegrationRepository(database),
    new HoldRepository(database),
    new LayoutRepository(database),
    new SuppressionRepository(database),
    new SurroundingsRepository(database),
    renderer,
    secrets,
  );
  const explanations = new ExplanationService(
    database,
    dryRuns,
    new WorkflowDirectory(new WorkflowRepository(database), renderer),
    new SubscriberRepository(database),
    new NotificationRepository(database),
    new LimitRepository(database),
  );
  return { explanations, close: () => renderer.close() };
}
