import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';
import { isDatabaseUnavailable } from './database-errors';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations';

export type DataSourceOptions = {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /**
   * Every statement finds its rows by key, so one plan is right for all values; and a plan that was made while the tables
   * were empty must not stay with reading all of them.
   */
  lookupsOnly?: boolean;
  /** Called for every statement that is sent, those that begin and end transactions included. */
  onStatement?: () => void;
};

/** Columns are snake_case, properties camelCase. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/**
 * Every wait has an end: node-postgres waits for ever for a free connection by default, and one stuck statement or lock
 * would hold the gateway with it.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'clarion',
  lookupsOnly = false,
  onStatement,
}: DataSourceOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCase(),
    synchronize: false,
    installExtensions: false,
    parseInt8: true,
    extra: {
      ...(onStatement && { Client: countingClient(onStatement) }),
      max: poolSize,
      // A caller of the gateway waits for an answer; a worker can wait for its turn.
      connectionTimeoutMillis: lookupsOnly ? 10_000 : 2_000,
      statement_timeout: 10_000,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 15_000,
      // Compiling a plan takes seconds where running it takes milliseconds, and a plan without sequential scans looks dear.
      options: `-c jit=off${lookupsOnly ? ' -c enable_seqscan=off -c plan_cache_mode=force_generic_plan' : ''}`,
    },
  });
}

/** The driver's own client, which tells of each statement. */
function countingClient(onStatement: () => void): typeof Client {
  return class extends Client {
    override query(...args: unknown[]): never {
      onStatement();
      return (super.query as (...all: unknown[]) => never)(...args);
    }
  };
}

const CONNECT_AGAIN_MS = 3_000;

/** Waits for a Postgres that is away or still starting, as long as it takes; `onWait` hears of each try that failed. */
export async function connectPatiently(
  options: DataSourceOptions,
  onWait: (error: Error) => void,
): Promise<DataSource> {
  for (;;) {
    try {
      return await createDataSource(options).initialize();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      onWait(error as Error);
      await delay(CONNECT_AGAIN_MS);
    }
  }
}
