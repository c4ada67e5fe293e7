import {
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  LATEST_SCHEMA_VERSION,
  Queue,
  runMigrations,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { Client } from 'pg';
import { withTimeout } from '@clarion/contracts/core';
import type { QueueName } from './jobs';

/** Redis for production and scale; BullMQ's Postgres backend where there is no Redis, so that Node alone is enough. */
export type QueueBackend = { kind: 'redis'; url: string } | { kind: 'postgres'; url: string };

export type QueueOptions = { prefix: string; onError: (error: Error) => void; counts?: QueueCounts };

/** What somebody may want to count. */
export type QueueCounts = {
  /** A command to Redis. */
  countCommand(): void;
  /** Jobs that did not get into the queue. */
  countFailedAdds(count: number): void;
};

/** An add that cannot succeed within this time is given up: the row is committed and will be found by the sweeper. */
export const PRODUCER_TIMEOUT_MS = 500;
export const CLOSE_TIMEOUT_MS = 1_000;

/** A fault of the queue that an operator must mend before the process may run. */
export class QueueBackendError extends Error {
  override name = 'QueueBackendError';
}

/** The queues of one process for adding jobs: they share one connection, and each is opened when it is first asked for. */
export type OpenQueues = {
  queue(name: QueueName): JobQueue;
  /** False while adds could only fail. */
  isConnected(): boolean;
  waitUntilReady(): Promise<void>;
  /** Works although the server is gone. */
  close(): Promise<void>;
};

export type JobQueue = Queue<unknown, void, string, unknown, void, string, IQueueBackend>;

export function openQueues(chosen: QueueBackend, options: QueueOptions): OpenQueues {
  const { backend, isConnected, disconnect } =
    chosen.kind === 'redis' ? redisProducer(chosen.url, options.counts) : postgresProducer(chosen.url, options.prefix);
  backend.on('error', options.onError);
  const queues = new Map<QueueName, JobQueue>();
  const open = (name: QueueName): JobQueue => {
    const queueOptions = {
      connection: {},
      // Each would cost commands at the first use of a queue; nothing reads what they write.
      skipMetasUpdate: true,
      skipVersionCheck: true,
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    };
    const queue: JobQueue = new Queue(name, queueOptions, () =>
      backend.forQueue(name, queuePrefix(options.prefix, name)),
    );
    queue.on('error', options.onError);
    queues.set(name, queue);
    return queue;
  };
  return {
    queue: (name) => queues.get(name) ?? open(name),
    isConnected,
    waitUntilReady: () => backend.waitUntilReady(),
    async close() {
      await withTimeout(backend.close(), CLOSE_TIMEOUT_MS, 'closing the queues').catch(() => undefined);
      disconnect();
    },
  };
}

/** One queue alone, for whoever wants to look into it. */
export function openQueue(backend: QueueBackend, name: QueueName, options: QueueOptions) {
  const { queue, close } = openQueues(backend, options);
  return { queue: queue(name), close };
}

type Producer = { backend: IQueueBackend; isConnected(): boolean; disconnect(): void };

function postgresProducer(url: string, prefix: string): Producer {
  const connection = { ...postgresOptions(url, prefix), max: 3 };
  return {
    backend: createPostgresBackend('producer', { connection }),
    isConnected: () => true,
    disconnect: () => undefined,
  };
}

/**
 * All three settings matter: without the offline queue an add fails at once when Redis is down, and only the command
 * timeout bounds an add when Redis is frozen.
 */
function redisProducer(url: string, counts?: QueueCounts): Producer {
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: PRODUCER_TIMEOUT_MS };
  const connection = openRedis({ ...redisOptions(url), ...options }, counts);
  // BullMQ reports its errors while it listens; afterwards nobody does, and ioredis would print them.
  connection.on('error', () => undefined);
  return {
    backend: createRedisBackend('producer', { connection, skipVersionCheck: true }),
    isConnected: () => connection.status === 'ready',
    disconnect: () => connection.disconnect(),
  };
}

/** A connection whose commands are counted, and those of its duplicates: a worker waits for jobs on one. */
export function openRedis(options: RedisOptions, counts?: QueueCounts): Redis {
  return counted(new Redis(options), counts);
}

function counted(redis: Redis, counts?: QueueCounts): Redis {
  if (!counts) return redis;
  const sendCommand = redis.sendCommand.bind(redis);
  const duplicate = redis.duplicate.bind(redis);
  redis.sendCommand = (...command) => {
    counts.countCommand();
    return sendCommand(...command);
  };
  redis.duplicate = (override) => counted(duplicate(override), counts);
  return redis;
}

/** How every connection to Redis finds it, and finds it again. */
export function redisOptions(url: string) {
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    ...(protocol === 'rediss:' && { tls: {} }),
    connectTimeout: 2_000,
    retryStrategy: (attempt: number): number | null => Math.min(attempt * 100, 2_000),
  };
}

/** `pg` waits for ever for a connection unless told otherwise. */
export const postgresOptions = (url: string, prefix: string) => ({
  connectionString: url,
  schema: postgresSchema(prefix),
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
});

/** The braces keep all keys of one queue in one slot of a Redis Cluster and let queues live on different nodes. */
export const queuePrefix = (prefix: string, queue: QueueName): string => `{${prefix}.${queue}}`;

/** On Postgres the prefix is a schema. */
export const postgresSchema = (prefix: string): string =>
  prefix === 'clarion' ? 'bullmq' : `bullmq_${prefix.replaceAll('-', '_')}`;

/**
 * Run once before queues are built. Postgres: BullMQ's readiness is memoised even when it fails, and an old schema is
 * accepted silently, so connect and migrate first. Redis: an evicting policy silently drops jobs; refuse it. A Redis that
 * is away is not refused: the rows are the truth, and the connection comes back by itself.
 */
export async function prepareBackend(backend: QueueBackend, options: QueueOptions): Promise<void> {
  if (backend.kind === 'postgres') return migratePostgresBackend(backend.url, options.prefix);
  const fault = await backendFault(backend, options);
  if (fault) throw new QueueBackendError(fault);
}

/** Why the queue must not be used as it is; undefined when it may. */
export async function backendFault(backend: QueueBackend, options: QueueOptions): Promise<string | undefined> {
  if (backend.kind === 'postgres') return undefined;
  const policy = await evictionPolicy(backend.url);
  if (policy instanceof Error) options.onError(policy);
  else if (policy !== 'noeviction') {
    return `Redis runs with maxmemory-policy "${policy}", which silently drops queued work: set it to noeviction (CONFIG SET maxmemory-policy noeviction)`;
  }
  return undefined;
}

async function migratePostgresBackend(url: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const schema = postgresSchema(prefix);
    const version = await runMigrations(client, schema);
    if (version !== LATEST_SCHEMA_VERSION) {
      throw new QueueBackendError(
        `the queue schema "${schema}" is at version ${version}, this build needs ${LATEST_SCHEMA_VERSION}`,
      );
    }
  } finally {
    await client.end();
  }
}

async function evictionPolicy(url: string): Promise<string | Error> {
  const redis = new Redis({
    ...redisOptions(url),
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const memory = await redis.info('memory');
    return /maxmemory_policy:(\S+)/.exec(memory)?.[1] ?? 'noeviction';
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    redis.disconnect();
  }
}
