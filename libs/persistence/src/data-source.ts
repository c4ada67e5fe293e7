import { DataSource, DefaultNamingStrategy } from 'typeorm';
import { ENTITIES } from './entities';
import { MIGRATIONS } from './migrations';

export type DataSourceOptions = {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** Every statement finds its rows by key. A plan made while the tables were empty must not stay with reading all of them. */
  lookupsOnly?: boolean;
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
      max: poolSize,
      connectionTimeoutMillis: 2_000,
      statement_timeout: 10_000,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 15_000,
      ...(lookupsOnly && { options: '-c enable_seqscan=off' }),
    },
  });
}
