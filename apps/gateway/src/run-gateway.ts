import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { connectPatiently, Database, EnvironmentRepository, schemaFault } from '@clarion/persistence';
import {
  type Config,
  encryptionKeyFault,
  type Health,
  type Logger,
  type Metrics,
  openTracing,
  refuseFaults,
  SecretBox,
  withinTime,
} from '@clarion/platform';
import { engineFault, type QueueEngine, QueueProducer, RealtimeRelay } from '@clarion/queue';
import { createGateway } from './gateway';

export type RunningGateway = { app: NestFastifyApplication; url: string; close(): Promise<void> };

export type GatewayPlace = {
  config: Config;
  databaseUrl: string;
  engine: QueueEngine;
  encryptionKeys: string;
  logger: Logger;
  metrics: Metrics;
  health: Health;
};

/**
 * Opens the database and the queue, builds the gateway and listens. Whatever fails on the way is closed again.
 * `beforeListening` lets go of the port, when somebody has it meanwhile.
 */
export async function runGateway(
  { config, databaseUrl, engine, encryptionKeys, logger, metrics, health }: GatewayPlace,
  beforeListening: () => Promise<void> = () => Promise.resolve(),
): Promise<RunningGateway> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const onError = (error: Error): void => logger.warn({ err: error }, 'queue');
    const queueOptions = { prefix: config.CLARION_QUEUE_PREFIX, onError, counts: metrics.queue };
    const secrets = new SecretBox(encryptionKeys);
    const dataSource = await connectPatiently(
      {
        url: databaseUrl,
        poolSize: config.CLARION_DATABASE_POOL,
        applicationName: 'clarion-gateway',
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
      await engineFault(engine, queueOptions),
    ]);
    closers.push(metrics.watchPool(() => database.poolUse()));
    health.require('database', () => database.ping());
    const producer = await QueueProducer.open(engine, queueOptions);
    closers.push(() => producer.close());
    const relay = new RealtimeRelay(engine, queueOptions);
    closers.push(() => relay.close());
    const tracing = openTracing(config, 'gateway', logger);
    closers.push(() => tracing.close());
    const app = await createGateway({
      config,
      database,
      producer,
      relay,
      secrets,
      logger,
      tracing,
      metrics,
      health,
    });
    closers.push(() => closeGracefully(app, config.CLARION_DRAIN_MS));
    await beforeListening();
    await app.listen(config.PORT, config.HOST);
    health.started();
    const { port } = app.getHttpServer().address() as AddressInfo;
    const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
    return { app, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Answers what was asked, takes nothing more, and cuts off whoever has not heard the end by the deadline. */
async function closeGracefully(app: NestFastifyApplication, deadlineMs: number): Promise<void> {
  const closed = app.close();
  if ((await withinTime(deadlineMs, closed, 'late')) === 'late') app.getHttpServer().closeAllConnections();
  await closed;
}
