import { TemplateRenderer } from '@clarion/content';
import { createDataSource, Database, isMigrated } from '@clarion/persistence';
import { type Config, Egress, type Logger, OperatorError, SecretBox } from '@clarion/platform';
import { type EngineOptions, type QueueEngine, QueueProducer, RealtimeRelay } from '@clarion/queue';

/** Where a process finds its servers and what it is told by the operator. */
export type Place = {
  config: Config;
  databaseUrl: string;
  engine: QueueEngine;
  encryptionKeys: string;
  logger: Logger;
};

/** What the engine and the workers are made from. Several roles in one process share it. */
export type Resources = {
  config: Config;
  logger: Logger;
  database: Database;
  engine: QueueEngine;
  queue: EngineOptions;
  producer: QueueProducer;
  relay: RealtimeRelay;
  secrets: SecretBox;
  templates: TemplateRenderer;
  egress: Egress;
  close(): Promise<void>;
};

/** Opens everything in the order in which it depends on each other; whatever fails on the way is closed again. */
export async function openResources(place: Place, name: string): Promise<Resources> {
  const { config, logger, engine } = place;
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const dataSource = await createDataSource({
      url: place.databaseUrl,
      poolSize: config.CLARION_DATABASE_POOL,
      applicationName: `clarion-${name}`,
      lookupsOnly: true,
    }).initialize();
    closers.push(() => dataSource.destroy());
    if (!(await isMigrated(dataSource))) {
      throw new OperatorError('The database schema is older than this build: run `npm run clarion -- migrate` first');
    }
    const queue: EngineOptions = {
      prefix: config.CLARION_QUEUE_PREFIX,
      onError: (error) => logger.warn({ err: error }, 'queue'),
    };
    const producer = await QueueProducer.open(engine, queue);
    closers.push(() => producer.close());
    const relay = new RealtimeRelay(engine, queue);
    closers.push(() => relay.close());
    const templates = new TemplateRenderer();
    closers.push(() => templates.close());
    const egress = Egress.fromConfig(config);
    closers.push(() => egress.close());
    const secrets = new SecretBox(place.encryptionKeys);
    return {
      config,
      logger,
      database: new Database(dataSource),
      engine,
      queue,
      producer,
      relay,
      secrets,
      templates,
      egress,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
