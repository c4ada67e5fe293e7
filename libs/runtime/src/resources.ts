import { TemplateRenderer } from '@clarion/content';
import { connectPatiently, Database, EnvironmentRepository, schemaFault } from '@clarion/persistence';
import {
  type Config,
  Egress,
  encryptionKeyFault,
  type Health,
  type Logger,
  type Metrics,
  openTracing,
  refuseFaults,
  SecretBox,
  type Tracing,
} from '@clarion/platform';
import { engineFault, type EngineOptions, type QueueEngine, QueueProducer, RealtimeRelay } from '@clarion/queue';

/** Where a process finds its servers and what it is told by the operator. */
export type Place = {
  config: Config;
  databaseUrl: string;
  engine: QueueEngine;
  encryptionKeys: string;
  logger: Logger;
  metrics: Metrics;
  health: Health;
};

/** What the engine and the workers are made from. Several roles in one process share it. */
export type Resources = {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  database: Database;
  engine: QueueEngine;
  queue: EngineOptions;
  producer: QueueProducer;
  relay: RealtimeRelay;
  secrets: SecretBox;
  templates: TemplateRenderer;
  egress: Egress;
  tracing: Tracing;
  close(): Promise<void>;
};

/** Opens everything in the order in which it depends on each other; whatever fails on the way is closed again. */
export async function openResources(place: Place, name: string): Promise<Resources> {
  const { config, logger, engine, metrics, health } = place;
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const queue: EngineOptions = {
      prefix: config.CLARION_QUEUE_PREFIX,
      onError: (error) => logger.warn({ err: error }, 'queue'),
      counts: metrics.queue,
    };
    const secrets = new SecretBox(place.encryptionKeys);
    const dataSource = await connectPatiently(
      {
        url: place.databaseUrl,
        poolSize: config.CLARION_DATABASE_POOL,
        applicationName: `clarion-${name}`,
        lookupsOnly: true,
        onStatement: metrics.countStatement,
      },
      (error) => {
        health.waitFor(`the database: ${error.message}`);
        logger.warn({ err: error }, 'waiting for the database');
      },
    );
    closers.push(() => dataSource.destroy());
    const database = new Database(dataSource);
    const fault = await schemaFault(dataSource);
    refuseFaults([
      fault,
      fault ? undefined : encryptionKeyFault(secrets, await new EnvironmentRepository(database).sampleSealedKeys()),
      await engineFault(engine, queue),
    ]);
    closers.push(metrics.watchPool(() => database.poolUse()));
    health.require('database', () => database.ping());
    const producer = await QueueProducer.open(engine, queue);
    closers.push(() => producer.close());
    const relay = new RealtimeRelay(engine, queue);
    closers.push(() => relay.close());
    const templates = new TemplateRenderer();
    closers.push(() => templates.close());
    const egress = Egress.fromConfig(config);
    closers.push(() => egress.close());
    const tracing = openTracing(config, name, logger);
    closers.push(() => tracing.close());
    return {
      config,
      logger,
      metrics,
      health,
      database,
      engine,
      queue,
      producer,
      relay,
      secrets,
      templates,
      egress,
      tracing,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
