import { Processor } from '@nestjs/bullmq';
import { NestFactory } from '@nestjs/core';
import {
  type JobContext,
  type QueueBackend,
  QueueConnection,
  QueueModule,
  type QueueName,
  type QueueOptions,
  type QueuePayloads,
  QueueProcessor,
} from '@clarion/queue';

export type ProcessorOptions = QueueOptions & { concurrency: number };

/** A Nest application whose only processor runs the handler. */
export async function openProcessor<Q extends QueueName>(
  backend: QueueBackend,
  name: Q,
  handler: (payload: QueuePayloads[Q], context: JobContext) => Promise<void>,
  { concurrency, ...options }: ProcessorOptions,
): Promise<{ processor: QueueProcessor<Q>; close(): Promise<void> }> {
  @Processor(name, { concurrency })
  class TestProcessor extends QueueProcessor<Q> {
    protected override handle(payload: QueuePayloads[Q], context: JobContext): Promise<void> {
      return handler(payload, context);
    }
  }
  const connection = await QueueConnection.open(backend, options);
  try {
    const module = { module: class {}, imports: [QueueModule.on(connection)], providers: [TestProcessor] };
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const processor = app.get(TestProcessor);
    const close = async (): Promise<void> => {
      await processor.close(0);
      await app.close();
      await connection.close();
    };
    return { processor, close };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
