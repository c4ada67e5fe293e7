import { type BackendFactory, createRedisBackend, type IQueueBackend, Queue } from 'bullmq';
import { withTimeout } from '@clarion/contracts/core';
import {
  CLOSE_TIMEOUT_MS,
  postgresOptions,
  prepareBackend,
  type QueueBackend,
  type QueueOptions,
  queuePrefix,
  waitFactorOf,
} from './backend';
import { QUEUE_NAMES, type QueueName } from './jobs';
import { Turns } from './turns';
import { openPostgresQueue } from './postgres-connections';
import { FAIL_SOON, openRedis, type RedisClient, WAIT_FOR_SERVER } from './redis-connections';

const READY_TIMEOUT_MS = 2_000;

/** The part of a connection that BullMQ does not manage. */
type Server = { isConnected(): boolean; disconnect(): void };

/**
 * The connections of one process to its queue backend. All queues add their jobs over one of them; each worker opens
 * its own, because it blocks while it waits for jobs. Nest hands this object to queues and workers as their
 * `connection`.
 */
export class QueueConnection {
  /** Shared by all roles of the process. */
  readonly turns = new Turns();
  private readonly producer: IQueueBackend;
  private readonly server: Server;

  constructor(
    readonly backend: QueueBackend,
    readonly options: QueueOptions,
    use = FAIL_SOON,
  ) {
    if (backend.kind === 'redis') {
      const { connection, ...server } = this.openRedis(use);
      this.server = server;
      this.producer = createRedisBackend('producer', { connection, skipVersionCheck: true });
    } else {
      this.server = UNMANAGED;
      this.producer = openPostgresQueue(backend, 'producer', postgresOptions(backend.url, options.prefix), {});
    }
    this.producer.on('error', options.onError);
  }

  /** An unreachable Redis does not prevent the start: adds fail and are counted until it is back. */
  static async open(backend: QueueBackend, options: QueueOptions): Promise<QueueConnection> {
    await prepareBackend(backend, options);
    const connection = new QueueConnection(backend, options);
    const readyMs = READY_TIMEOUT_MS * waitFactorOf(backend);
    await withTimeout(connection.waitUntilReady(), readyMs, 'connecting to the queue').catch(options.onError);
    return connection;
  }

  /** False while every add would fail. */
  get isConnected(): boolean {
    return this.server.isConnected();
  }

  waitUntilReady(): Promise<void> {
    return this.producer.waitUntilReady();
  }

  forQueue(name: QueueName): IQueueBackend {
    return this.producer.forQueue(name, queuePrefix(this.options.prefix, name));
  }

  forWorker(name: QueueName) {
    const { backend, options } = this;
    if (backend.kind === 'redis') {
      const { connection, ...server } = this.openRedis(WAIT_FOR_SERVER);
      return { server, options: { connection, prefix: queuePrefix(options.prefix, name) } };
    }
    const createBackend: BackendFactory<IQueueBackend> = (queueName, own) =>
      openPostgresQueue(backend, queueName, postgresOptions(backend.url, options.prefix), own);
    return { server: UNMANAGED, options: { connection: {} }, createBackend };
  }

  private openRedis(use: typeof FAIL_SOON): Server & { connection: RedisClient } {
    const connection = openRedis(this.backend.url, use, this.options.counts);
    // BullMQ reports errors while a queue is open. After it is closed, ioredis would print them without this listener.
    connection.on('error', () => undefined);
    return {
      connection,
      isConnected: () => connection.status === 'ready',
      disconnect: () => connection.disconnect(),
    };
  }

  /** Also works when the server is unreachable. */
  async close(): Promise<void> {
    await withTimeout(this.producer.close(), CLOSE_TIMEOUT_MS, 'closing the queues').catch(() => undefined);
    this.server.disconnect();
  }
}

const UNMANAGED: Server = { isConnected: () => true, disconnect: () => undefined };

/** A queue for adding jobs and looking at them. */
export class BackendQueue extends Queue<unknown, void, string, unknown, void, string, IQueueBackend> {
  constructor(name: QueueName, { connection }: { connection: QueueConnection }) {
    const options = {
      // Nest passes it on to the worker of the queue. BullMQ uses the factory.
      connection: connection as object,
      // Each of these would cost commands at the first use of a queue, and nothing reads the results.
      skipMetasUpdate: true,
      skipVersionCheck: true,
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    };
    super(name, options, () => connection.forQueue(name));
    this.on('error', connection.options.onError);
  }

  /** The connection is not the queue's: the process closes it after its applications. */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

export type Queues = Record<QueueName, BackendQueue>;

/** The queues where there is no Nest application. */
export const openQueues = (connection: QueueConnection): Queues =>
  Object.fromEntries(QUEUE_NAMES.map((name) => [name, new BackendQueue(name, { connection })])) as Queues;

export function openQueue(backend: QueueBackend, name: QueueName, options: QueueOptions) {
  const connection = new QueueConnection(backend, options);
  return { queue: new BackendQueue(name, { connection }), close: () => connection.close() };
}
