import { TemplateRenderer } from '@clarion/content';
import {
  AuditLogRepository,
  ContextRepository,
  type Database,
  EnvironmentRepository,
  ImportRunRepository,
  IntegrationRepository,
  PreferenceRepository,
  SubscriberChannelRepository,
  SubscriberRepository,
  TopicRepository,
  TopicSubscriptionRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import type { SecretBox } from '@clarion/platform';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { createPromotion } from '../../authoring/promotion/promotion-of';
import { SubscriberImportService } from '../../audience/subscribers/subscriber-import.service';
import { SubscriptionPreferencesReader } from '../../audience/topics/subscription-preferences';
import { DefinitionWriter } from './definitions';
import type { ImportedKind } from './import-kind';
import { ImportedDefinitions, ImportedTranslations } from './imported-definitions';
import { ImportedIntegrations } from './imported-integrations';
import { ImportedPreferences } from './imported-preferences';
import { ImportedSubscribers } from './imported-subscribers';
import { ImportedSubscriptions, ImportedTopics } from './imported-topics';
import { Importer, type ImportOptions } from './importer';
import type { SourceClient } from './source-client';

export { ConcurrentImportError, EnvironmentGoneError, type ImportReport } from './importer';
export { IMPORT_KINDS, type ImportKind, type KindProgress } from './import-progress';
export { InterruptedError, SourceClient, SourceError } from './source-client';

/** An import for the command line. */
export function importOf(
  database: Database,
  secrets: SecretBox,
  client: SourceClient,
  options: ImportOptions,
): { importer: Importer; close(): Promise<void> } {
  const { environment, kinds, isDryRun, source } = options;
  const context = { client, database, environment, isDryRun, kinds, sourceName: `the import of ${source}` };
  const renderer = new TemplateRenderer({ processes: 1 });
  const definitions = new DefinitionWriter(
    context,
    createPromotion(database, renderer, () => undefined),
  );
  const integrations = new IntegrationRepository(database);
  const subscribers = new SubscriberRepository(database);
  const topics = new TopicRepository(database);
  const subscriptions = new TopicSubscriptionRepository(database);
  const channels = new SubscriberChannelRepository(database);
  const imports = new SubscriberImportService(database, subscribers, channels, subscriptions, secrets);
  const audit = new AuditLog(new AuditLogRepository(database));
  const all = [
    new ImportedIntegrations(context, { integrations, secrets, audit }),
    new ImportedDefinitions(client, definitions, 'layout'),
    new ImportedDefinitions(client, definitions, 'workflow'),
    new ImportedTranslations(client, definitions),
    new ImportedSubscribers(context, integrations, imports),
    new ImportedTopics(context, topics),
    new ImportedSubscriptions(context, {
      topics,
      subscriptions,
      contexts: new ContextRepository(database),
      preferences: new SubscriptionPreferencesReader(new WorkflowRepository(database)),
    }),
    new ImportedPreferences(context, { subscribers, preferences: new PreferenceRepository(database) }),
  ] as ImportedKind[];
  return {
    importer: new Importer(new ImportRunRepository(database), new EnvironmentRepository(database), all, options),
    close: () => renderer.close(),
  };
}
