import { TemplateRenderer } from '@clarion/content';
import {
  type Database,
  DryRunRepository,
  HoldRepository,
  IntegrationRepository,
  LayoutRepository,
  LimitRepository,
  NotificationRepository,
  SubscriberRepository,
  SuppressionRepository,
  SurroundingsRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import type { SecretBox } from '@clarion/platform';
import { WorkflowDirectory } from '../../authoring/workflows/workflow-directory';
import { DryRunService } from '../dry-run.service';
import { ExplanationService } from './explanation.service';

/** The explanations of a database, for the command line. */
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
