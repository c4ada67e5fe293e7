import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { Client } from 'pg';
import { parseDatabaseUrl, parseRedisUrl } from '@clarion/contracts/core';
import type { QueueName } from './jobs';
import { isPostgresQueueOpen } from './postgres-connections';
import { inspectRedis, type RedisFacts, redisFault } from './redis-servers';

/** Redis for production; the Postgres backend of BullMQ where there is no Redis, so that Node alone is enough. */
export type QueueBackend = { kind: 'redis'; url: string } | { kind: 'postgres'; url: string };

export type QueueOptions = {
  prefix: string;
  onError: (error: Error) => void;
  counts?: QueueCounts;
  /** The organization of an environment, which takes turns with others as one. */
  organizationOf?: (environmentId: string) => string;
};

/** Hooks for metrics. */
export type QueueCounts = {
  countCommand(): void;
  /** Called with the number of jobs that could not be added. */
  countFailedAdds(count: number): void;
};

export const CLOSE_TIMEOUT_MS = 1_000;

/** A fault of the queue backend that an operator has to fix before the process can run. */
export class QueueBackendError extends Error {
  override name = 'QueueBackendError';
}

/** How much longer than usual a process waits for answers of the backend. */
export const waitFactorOf = ({ kind, url }: QueueBackend): number =>
  (kind === 'redis' ? parseRedisUrl(url) : parseDatabaseUrl(url)).waitFactor;

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
  try {
    return await redisFault(backend.url);
  } catch (error) {
    options.onError(error as Error);
    return undefined;
  }
}

/** Facts for an operator, read from the servers themselves. Throws when none answers. */
export type BackendFacts =
  | ({ kind: 'redis' } & RedisFacts)
  | { kind: 'postgres'; schema: string; schemaVersion: number | undefined; neededSchemaVersion: number };

export async function inspectBackend(backend: QueueBackend, prefix: string): Promise<BackendFacts> {
  if (backend.kind === 'redis') return { kind: 'redis', ...(await inspectRedis(backend.url)) };
  const schema = postgresSchema(prefix);
  const schemaVersion = await withClient(backend.url, (client) => schemaVersionOf(client, schema));
  return { kind: 'postgres', schema, schemaVersion, neededSchemaVersion: LATEST_SCHEMA_VERSION };
}

async function migratePostgresBackend(url: string, prefix: string): Promise<void> {
  const schema = postgresSchema(prefix);
  const version = await withClient(url, (client) => runMigrations(client, schema));
  if (version !== LATEST_SCHEMA_VERSION) {
    throw new QueueBackendError(
      `the queue schema "${schema}" is at version ${version}, this build needs ${LATEST_SCHEMA_VERSION}`,
    );
  }
}

async function schemaVersionOf(client: Client, schema: string): Promise<number | undefined> {
  try {
    return await assertSchemaCompatibility(client, schema);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return undefined;
    throw error;
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
