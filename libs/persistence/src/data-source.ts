import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg, { Client, type ClientConfig } from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';
import { isDatabaseUnavailable } from './database-errors';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations';
import { OnDemandPool } from './on-demand-pool';

export type DataSourceOptions = {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /**
   * Every statement finds its rows by key, so one plan fits all values. A plan that Postgres made while the tables were
   * empty must not keep reading whole tables.
   */
  lookupsOnly?: boolean;
  /** Called for every statement that is sent, those that begin and end transactions included. */
  onStatement?: () => void;
  /** A connection without traffic for this long is closed; longer than any statement may take. */
  silenceMs?: number;
};

const STATEMENT_MS = 10_000;
const SILENCE_MS = 2 * STATEMENT_MS;
/** A connection that had no statement for this long is closed by the pool, before it counts as silent. */
const IDLE_MS = 15_000;

/** Columns are snake_case, properties camelCase. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/**
 * Every wait has a limit: by default node-postgres waits for a free connection without end, and one stuck statement or
 * lock would block the gateway.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'clarion',
  lookupsOnly = false,
  onStatement,
  silenceMs,
}: DataSourceOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    driver: Object.create(pg, { Pool: { value: OnDemandPool } }) as typeof pg,
    applicationName,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    namingStrategy: new SnakeCase(),
    synchronize: false,
    installExtensions: false,
    parseInt8: true,
    extra: {
      Client: watchedClient({ onStatement, silenceMs }),
      max: poolSize,
      idleTimeoutMillis: IDLE_MS,
      // A caller of the gateway waits for an answer; a worker can wait for its turn.
      connectionTimeoutMillis: lookupsOnly ? 10_000 : 2_000,
      statement_timeout: STATEMENT_MS,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 15_000,
      // Compiling a plan takes seconds and running it milliseconds. A plan without sequential scans has a high
      // estimate, so Postgres would compile it.
      options: `-c jit=off${lookupsOnly ? ' -c enable_seqscan=off -c plan_cache_mode=force_generic_plan' : ''}`,
    },
  });
}

/**
 * The client of the driver, which reports each statement. It also closes connections to a server that disappeared:
 * Postgres enforces the limits above, so they do not help when it is gone, and the operating system would wait for 15
 * minutes.
 */
function watchedClient({
  onStatement,
  silenceMs,
}: Pick<DataSourceOptions, 'onStatement' | 'silenceMs'>): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      if (silenceMs === undefined) return;
      this.once('connect', () => {
        const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
        const silent = Object.assign(new Error(`Postgres has said nothing for ${silenceMs} ms`), { code: 'ETIMEDOUT' });
        stream.setTimeout(silenceMs, () => stream.destroy(silent));
      });
    }

    override query(...args: unknown[]): never {
      onStatement?.();
      return (super.query as (...all: unknown[]) => never)(...args);
    }
  };
}

const CONNECT_AGAIN_MS = 3_000;

/** Waits until Postgres answers, without a limit; calls `onWait` after each failed attempt. */
export async function connectPatiently(
  options: DataSourceOptions,
  onWait: (error: Error) => void,
): Promise<DataSource> {
  for (;;) {
    try {
      return await createDataSource({ silenceMs: SILENCE_MS, ...options }).initialize();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      onWait(error as Error);
      await delay(CONNECT_AGAIN_MS);
    }
  }
}
