import { TemplateRenderer } from '@clarion/content';
import type { EnvironmentId } from '@clarion/contracts';
import {
  AuditLogRepository,
  type Database,
  EnvironmentRepository,
  HoldRepository,
  LayoutRepository,
  PromotionRepository,
  TranslationRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { LayoutKind } from './layout-kind';
import { Promotion } from './promotion';
import { TranslationKind } from './translation-kind';
import { WorkflowKind } from './workflow-kind';

/** The engine with every kind of resource. `onChange` is called after workflows of an environment have changed. */
export function createPromotion(
  database: Database,
  renderer: TemplateRenderer,
  onChange: (environmentId: EnvironmentId) => void,
): Promotion {
  const promotion = new PromotionRepository(database);
  const audit = new AuditLog(new AuditLogRepository(database));
  const shared = { database, promotion, renderer, audit };
  return new Promotion({
    ...shared,
    environments: new EnvironmentRepository(database),
    kinds: [
      new LayoutKind({ ...shared, layouts: new LayoutRepository(database) }),
      new WorkflowKind({
        ...shared,
        workflows: new WorkflowRepository(database),
        holds: new HoldRepository(database),
        onChange,
      }),
      new TranslationKind({ ...shared, translations: new TranslationRepository(database) }),
    ],
  });
}

/** The engine for the command line. Gateways see changed workflows when their cached ones expire, after seconds. */
export function promotionOf(database: Database): { promotion: Promotion; close(): Promise<void> } {
  const renderer = new TemplateRenderer({ processes: 1 });
  return { promotion: createPromotion(database, renderer, () => undefined), close: () => renderer.close() };
}
