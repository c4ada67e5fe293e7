import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import {
  openTcpProxy,
  type PostgresPair,
  type RedisServer,
  startPostgresPair,
  startRedis,
  type TcpProxy,
} from '@clarion/testing';

/** The servers of a deployment. Its processes reach them through proxies, which break connections on request. */
export type Stores = {
  postgres: PostgresPair;
  postgresProxy: TcpProxy;
  redis: RedisServer;
  redisProxy: TcpProxy;
  /** As the processes reach them. */
  databaseUrl: string;
  redisUrl: string;
  /** Past the proxy. */
  directUrl(): string;
  /** Runs a statement past the proxy, again while the server does not accept it. */
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Makes the processes use another Redis, as after a failover; without a port the usual one. */
  useRedis(port?: number): void;
  /** Ends every fault: both stores run and the proxies forward again. */
  heal(): Promise<void>;
  stop(): Promise<void>;
};

export const DATABASE = 'chaos';
const QUERY_DEADLINE_MS = 60_000;

/** Settings of a server that keeps what it has committed, as in production. */
const SETTINGS = { fsync: 'on', max_connections: '300', shared_buffers: '256MB', max_wal_size: '2GB' };

export async function startStores(): Promise<Stores> {
  const postgres = await startPostgresPair({ settings: SETTINGS });
  // Without persistence: each restart loses every job.
  const redis = await startRedis();
  await postgres.primary.query(`CREATE DATABASE ${DATABASE}`);
  const postgresProxy = await openTcpProxy(postgres.primary.port);
  const redisProxy = await openTcpProxy(redis.port);
  const urlTo = (base: string, port: number): string => {
    const url = new URL(base);
    url.port = String(port);
    url.pathname = `/${DATABASE}`;
    return url.href;
  };
  const moveTo = (port = redis.port): void => {
    redisProxy.retarget(port);
    for (const connection of redisProxy.connections()) connection.cut();
  };
  const directUrl = (): string => urlTo(postgres.primary.url, postgres.primary.port);
  return {
    postgres,
    postgresProxy,
    redis,
    redisProxy,
    databaseUrl: urlTo(postgres.primary.url, postgresProxy.port),
    redisUrl: `redis://127.0.0.1:${redisProxy.port}`,
    directUrl,
    async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
      const deadline = Date.now() + QUERY_DEADLINE_MS;
      for (;;) {
        const client = new Client({ connectionString: directUrl(), connectionTimeoutMillis: 5_000 });
        client.on('error', () => undefined);
        try {
          await client.connect();
          return (await client.query(sql, parameters)).rows as Row[];
        } catch (error) {
          const isWrong = /^(22|23|42)/.test((error as { code?: string }).code ?? '');
          if (isWrong || Date.now() > deadline) throw error;
          await delay(200);
        } finally {
          await client.end().catch(() => undefined);
        }
      }
    },
    useRedis: moveTo,
    async heal() {
      postgresProxy.thaw();
      redisProxy.thaw();
      postgresProxy.delay(0);
      redisProxy.delay(0);
      redis.resume();
      if (!redis.isRunning) await redis.restart();
      if (!postgres.primary.isRunning) await postgres.restartPrimary();
      postgresProxy.retarget(postgres.primary.port);
    },
    async stop() {
      await Promise.all([postgresProxy.close(), redisProxy.close()]);
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
