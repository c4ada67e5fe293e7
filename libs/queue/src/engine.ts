import { createPostgresBackend, LATEST_SCHEMA_VERSION, Queue, runMigrations } from 'bullmq';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { QueueName } from './jobs';
import { within } from './within';

/** Redis for production and scale; BullMQ's Postgres backend where there is no Redis, so that Node alone is enough. */
export type QueueEngine = { kind: 'redis'; url: string } | { kind: 'postgres'; url: string };

export type EngineOptions = { prefix: string; onError: (error: Error) => void };

/** An add that cannot succeed within this time is given up: the row is committed and will be found by the sweeper. */
export const PRODUCER_TIMEOUT_MS = 500;
const CLOSE_TIMEOUT_MS = 1_000;

/** A fault of the queue that an operator must mend before the process may run. */
export class QueueEngineError extends Error {
  override name = 'QueueEngineError';
}

/** A queue and the way to let go of it, which must work although its server is gone. */
export type OpenQueue = { queue: Queue; isConnected(): boolean; close(): Promise<void> };

/**
 * A queue for adding jobs. On Redis all three settings matter: without the offline queue an add fails at once when Redis is
 * down, and only the command timeout bounds an add when Redis is frozen.
 */
export function openQueue(engine: QueueEngine, name: QueueName, options: EngineOptions): OpenQueue {
  const defaultJobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  if (engine.kind === 'postgres') {
    const connection = { connectionString: engine.url, schema: postgresSchema(options.prefix), max: 3 };
    const queue = new Queue(name, { defaultJobOptions, connection }, createPostgresBackend);
    queue.on('error', options.onError);
    return { queue: queue as unknown as Queue, isConnected: () => true, close: () => queue.close() };
  }
  const connection = new Redis({
    ...redisOptions(engine.url),
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: PRODUCER_TIMEOUT_MS,
    connectTimeout: 2_000,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
  });
  connection.on('error', options.onError);
  const queue = new Queue(name, { defaultJobOptions, prefix: queuePrefix(options.prefix, name), connection });
  queue.on('error', options.onError);
  const close = async (): Promise<void> => {
    await within(CLOSE_TIMEOUT_MS, queue.close(), 'close').catch(() => undefined);
    connection.disconnect();
  };
  return { queue, isConnected: () => connection.status === 'ready', close };
}

function redisOptions(url: string) {
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

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
export async function prepareEngine(engine: QueueEngine, options: EngineOptions): Promise<void> {
  if (engine.kind === 'postgres') return migratePostgresEngine(engine.url, options.prefix);
  const policy = await evictionPolicy(engine.url);
  if (policy instanceof Error) options.onError(policy);
  else if (policy !== 'noeviction') {
    throw new QueueEngineError(
      `Redis runs with maxmemory-policy "${policy}", which silently drops queued work: set it to noeviction (CONFIG SET maxmemory-policy noeviction)`,
    );
  }
}

async function migratePostgresEngine(url: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const schema = postgresSchema(prefix);
    const version = await runMigrations(client, schema);
    if (version !== LATEST_SCHEMA_VERSION) {
      throw new QueueEngineError(
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
    connectTimeout: 2_000,
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
