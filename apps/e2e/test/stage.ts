import { TemplateRenderer } from '@clarion/content';
import { EnvironmentAdmin, runGateway } from '@clarion/gateway';
import type { Database } from '@clarion/persistence';
import { createLogger, Health, loadConfig, Metrics, SecretBox } from '@clarion/platform';
import type { QueueBackend } from '@clarion/queue';
import { openResources, type ProcessContext, type Resources } from '@clarion/runtime';
import {
  createTestDatabase,
  type FakeProvider,
  startFakeProvider,
  startFewRenderProcesses,
  testQueueBackend,
  uniquePrefix,
} from '@clarion/testing';
import type { Pool } from 'pg';

export type StageOptions = {
  environment?: Record<string, string>;
  providerIds?: string[];
  /** Another way to the test database, for example through a pooler. */
  route?: (databaseUrl: string) => string;
  /** Instead of the queue backend under test. */
  queueBackend?: QueueBackend;
};

const PROVIDERS = [
  ...['sendgrid', 'resend', 'mailgun', 'twilio', 'nexmo', 'slack', 'msteams', 'discord', 'expo', 'one-signal', 'fcm'],
];

/** What stays when the roles stop: a database, a gateway, and the resources of the roles. */
export type Stage = {
  url: string;
  database: Database;
  resources: Resources;
  context: ProcessContext;
  provider: FakeProvider;
  logged: string[];
  admin: EnvironmentAdmin;
  /** The number of statements that the roles have sent. */
  statements(): number;
  close(): Promise<void>;
};

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const test = await createTestDatabase();
  const provider = await startFakeProvider();
  const urls = Object.fromEntries((options.providerIds ?? PROVIDERS).map((id) => [id, provider.url]));
  const config = loadConfig([], {
    PORT: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    CLARION_QUEUE_PREFIX: uniquePrefix(),
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify(urls),
    ...options.environment,
  });
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const context: ProcessContext = {
    config,
    databaseUrl: options.route?.(test.url) ?? test.url,
    queueBackend: options.queueBackend ?? testQueueBackend(test.url),
    encryptionKeys: SecretBox.generateKey(),
    logger: createLogger({ level: config.LOG_LEVEL, name: 'e2e', destination }),
    metrics: new Metrics(config.CLARION_METRICS_ENVIRONMENTS),
    health: new Health(),
  };
  const gateway = await runGateway(context);
  startFewRenderProcesses(gateway.app.get(TemplateRenderer));
  const resources = await openResources(context, 'e2e');
  let statements = 0;
  (resources.database.dataSource.driver as unknown as { master: Pool }).master.on('release', () => (statements += 1));
  return {
    url: gateway.url,
    database: test.database,
    resources,
    context,
    provider,
    logged,
    admin: gateway.app.get(EnvironmentAdmin),
    statements: () => statements,
    async close() {
      await resources.close();
      await gateway.close();
      await provider.close();
      await test.drop();
    },
  };
}
