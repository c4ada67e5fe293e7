import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createDataSource, Database, isMigrated } from '@clarion/persistence';
import { type Config, type Logger, OperatorError, SecretBox } from '@clarion/platform';
import { type QueueEngine, QueueProducer, RealtimeRelay } from '@clarion/queue';
import { createGateway } from './gateway';

export type RunningGateway = { app: NestFastifyApplication; url: string; close(): Promise<void> };

export type GatewayPlace = {
  config: Config;
  databaseUrl: string;
  engine: QueueEngine;
  encryptionKeys: string;
  logger: Logger;
};

/** Opens the database and the queue, builds the gateway and listens. Whatever fails on the way is closed again. */
export async function runGateway({
  config,
  databaseUrl,
  engine,
  encryptionKeys,
  logger,
}: GatewayPlace): Promise<RunningGateway> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const dataSource = await createDataSource({
      url: databaseUrl,
      poolSize: config.CLARION_DATABASE_POOL,
      applicationName: 'clarion-gateway',
    }).initialize();
    closers.push(() => dataSource.destroy());
    if (!(await isMigrated(dataSource))) {
      throw new OperatorError('The database schema is older than this build: run `npm run clarion -- migrate` first');
    }
    const onError = (error: Error): void => logger.warn({ err: error }, 'queue');
    const queueOptions = { prefix: config.CLARION_QUEUE_PREFIX, onError };
    const producer = await QueueProducer.open(engine, queueOptions);
    closers.push(() => producer.close());
    const relay = new RealtimeRelay(engine, queueOptions);
    closers.push(() => relay.close());
    const secrets = new SecretBox(encryptionKeys);
    const app = await createGateway({ config, database: new Database(dataSource), producer, relay, secrets, logger });
    closers.push(() => app.close());
    await app.listen(config.PORT, config.HOST);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
    return { app, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}
