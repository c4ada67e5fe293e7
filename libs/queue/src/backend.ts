import { createRedisBackend, type IQueueBackend, LATEST_SCHEMA_VERSION, Queue, runMigrations } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { Client } from 'pg';
import { withTimeout } from '@clarion/contracts/core';
import type { QueueName } from './jobs';
import { isPostgresQueueOpen, openPostgresQueue } from './postgres-connections';

/** Redis for production; the Postgres backend of BullMQ where there is no Redis, so that Node alone is enough. */
export type QueueBackend = { kind: 'redis'; url: string } | { kind: 'postgres'; url: string };

/** Options of every connection to the queue backend. */
export type QueueOptions = { prefix: string; onError: (error: Error) => void; counts?: QueueCounts };

/** Hooks for metrics. */
export type QueueCounts = {
  /** Called for each command to Redis. */
  countCommand(): void;
  /** Called with the number of jobs that could not be added. */
  countFailedAdds(count: number): void;
};

/** An add that takes longer fails: the row is committed, and the sweeper offers it again. */
export const PRODUCER_TIMEOUT_MS = 500;
export const CLOSE_TIMEOUT_MS = 1_000;

/** A fault of the queue backend that an operator has to fix before the process can run. */
export class QueueBackendError extends Error {
  override name = 'QueueBackendError';
}

/** The queues of one process for adding jobs. They share one connection, and each is opened on first use. */
export type OpenQueues = {
  queue(name: QueueName): JobQueue;
  /** False while every add would fail. */
  isConnected(): boolean;
  waitUntilReady(): Promise<void>;
  /** Also works when the server is unreachable. */
  close(): Promise<void>;
};

export type JobQueue = Queue<unknown, void, string, unknown, void, string, IQueueBackend>;

export function openQueues(chosen: QueueBackend, options: QueueOptions): OpenQueues {
  const { backend, isConnected, disconnect } =
    chosen.kind === 'redis' ? redisProducer(chosen.url, options.counts) : postgresProducer(chosen, options.prefix);
  backend.on('error', options.onError);
  const queues = new Map<QueueName, JobQueue>();
  const open = (name: QueueName): JobQueue => {
    const queueOptions = {
      connection: {},
      // Each of these would cost commands at the first use of a queue, and nothing reads the results.
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

/** A single queue, for inspection. */
export function openQueue(backend: QueueBackend, name: QueueName, options: QueueOptions) {
  const { queue, close } = openQueues(backend, options);
  return { queue: queue(name), close };
}

type Producer = { backend: IQueueBackend; isConnected(): boolean; disconnect(): void };

function postgresProducer(chosen: QueueBackend, prefix: string): Producer {
  return {
    backend: openPostgresQueue(chosen, 'producer', postgresOptions(chosen.url, prefix), {}),
    isConnected: () => true,
    disconnect: () => undefined,
  };
}

/**
 * All three settings are needed: without the offline queue an add fails at once when Redis is down, and only the
 * command timeout limits an add when Redis hangs.
 */
function redisProducer(url: string, counts?: QueueCounts): Producer {
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: PRODUCER_TIMEOUT_MS };
  const connection = openRedis({ ...redisOptions(url), ...options }, counts);
  // BullMQ reports errors while the queue is open. After it is closed, ioredis would print them without this listener.
  connection.on('error', () => undefined);
  return {
    backend: createRedisBackend('producer', { connection, skipVersionCheck: true }),
    isConnected: () => connection.status === 'ready',
    disconnect: () => connection.disconnect(),
  };
}

/** Opens a connection that counts its commands and those of its duplicates (a worker waits for jobs on a duplicate). */
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

/** Options of every connection to Redis, including how it reconnects. */
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

/** Without a timeout `pg` waits forever for a connection. */
export const postgresOptions = (url: string, prefix: string) => ({
  connectionString: url,
  schema: postgresSchema(prefix),
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
});

/** The braces keep all keys of one queue in one slot of a Redis Cluster and let queues live on different nodes. */
export const queuePrefix = (prefix: string, queue: QueueName): string => `{${prefix}.${queue}}`;

/** On Postgres the prefix is a schema. */
const postgresSchema = (prefix: string): string =>
  prefix === 'clarion' ? 'bullmq' : `bullmq_${prefix.replaceAll('-', '_')}`;

/**
 * Run once before queues are opened. Postgres: BullMQ caches a failed readiness check and silently accepts an old
 * schema, so connect and migrate first. Redis: reject an evicting policy, which silently drops jobs. An unreachable
 * Redis is not an error: the rows are the truth, and the connection is restored automatically.
 */
export async function prepareBackend(backend: QueueBackend, options: QueueOptions): Promise<void> {
  if (backend.kind === 'postgres') {
    if (isPostgresQueueOpen(backend, postgresSchema(options.prefix))) return;
    return migratePostgresBackend(backend.url, options.prefix);
  }
  const fault = await backendFault(backend, options);
  if (fault) throw new QueueBackendError(fault);
}

/** Why the queue backend must not be used as it is; undefined when it may be used. */
export async function backendFault(backend: QueueBackend, options: QueueOptions): Promise<string | undefined> {
  if (backend.kind === 'postgres') return undefined;
  const policy = await evictionPolicy(backend.url);
  if (policy instanceof Error) options.onError(policy);
  else if (policy !== 'noeviction') {
    return (
      `Redis runs with maxmemory-policy "${policy}", which silently drops queued work: ` +
      'set it to noeviction (CONFIG SET maxmemory-policy noeviction)'
    );
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
