import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg, { Client, type ClientConfig } from 'pg';
import { DataSource, DefaultNamingStrategy, type Table } from 'typeorm';
import { columnName } from './column-names';
import { isDatabaseUnavailable, READ_ONLY } from './database-errors';
import { ENTITIES } from '../entities';
import { MIGRATIONS } from '../migrations';
import { OnDemandPool } from './on-demand-pool';
import { findPooler, type Pooler } from './pooler';
import { ServersOfUrl } from './servers-of-url';
import { asStartupOptions, DIRECT, rulesForPooler, type SendingRules, sessionSettings } from './session-settings';

export type DataSourceOptions = {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** One plan fits all values. A plan made while the tables were empty must not keep reading whole tables. */
  lookupsOnly?: boolean;
  /** Called for every statement that is sent, those that begin and end transactions included. */
  onStatement?: () => void;
  /** The pooler that the URL leads to, as `findPooler` found it. */
  pooler?: Pooler;
  /** A connection without traffic for this long is closed; longer than any statement may take. */
  silenceMs?: number;
};

const STATEMENT_MS = 10_000;
/** A connection that had no statement for this long is closed by the pool, before it counts as silent. */
const IDLE_MS = 15_000;

/** Constraints have the names that Postgres gives them. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || columnName(propertyName);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}

/** Every wait has a limit: by default node-postgres waits for a free connection without end. */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'clarion',
  lookupsOnly = false,
  pooler,
  ...watched
}: DataSourceOptions): DataSource {
  const servers = new ServersOfUrl(url);
  const { waitFactor } = servers;
  const settings = sessionSettings({ statementMs: waitFactor * STATEMENT_MS, lookupsOnly });
  return new DataSource({
    type: 'postgres',
    url: servers.firstUrl,
    driver: Object.create(pg, { Pool: { value: OnDemandPool } }) as typeof pg,
    applicationName,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    namingStrategy: new SnakeCase(),
    synchronize: false,
    installExtensions: false,
    parseInt8: true,
    extra: {
      Client: watchedClient(servers, watched),
      max: poolSize,
      idleTimeoutMillis: IDLE_MS,
      // A caller of the gateway waits for an answer; a worker can wait for its turn.
      connectionTimeoutMillis: waitFactor * (lookupsOnly ? 10_000 : 2_000),
      ...(!pooler && { options: asStartupOptions(settings) }),
      waitFactor,
      rules: pooler ? rulesForPooler(pooler, settings) : DIRECT,
    },
  });
}

export function settingsOf(dataSource: DataSource): { poolSize: number; waitFactor: number; rules: SendingRules } {
  const { max, waitFactor, rules } = dataSource.options.extra as {
    max: number;
    waitFactor: number;
    rules: SendingRules;
  };
  return { poolSize: max, waitFactor, rules };
}

/** Opens a data source on a URL that may lead to a pooler. */
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  return createDataSource({ ...options, pooler: await findPooler(options.url) }).initialize();
}

type Callback = (error: Error | null, client: Client) => void;

/**
 * The client of the driver, which reports each statement and connects to the server that the URL asks for. It also
 * closes connections to a server that disappeared: Postgres enforces the limits of statements, so they do not help when
 * it is gone, and the operating system would wait for 15 minutes.
 */
function watchedClient(
  servers: ServersOfUrl,
  { onStatement, silenceMs }: Pick<DataSourceOptions, 'onStatement' | 'silenceMs'>,
): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      const { connection } = this as unknown as { connection: EventEmitter & { stream: Socket } };
      readInTurns(connection);
      if (servers.isChoice) this.on('error', () => servers.forget());
      connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code !== READ_ONLY) return;
        // After a failover this connection may lead to the old primary. The pool drops it when its user is done.
        servers.forget();
        this.once('drain', () => void this.end().catch(() => undefined));
      });
      if (silenceMs === undefined) return;
      this.once('connect', () => {
        const silent = Object.assign(new Error(`Postgres has said nothing for ${silenceMs} ms`), { code: 'ETIMEDOUT' });
        const { stream } = connection;
        stream.setTimeout(silenceMs, () => stream.destroy(silent));
      });
    }

    override connect(): Promise<Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<Client> | void {
      const connected = this.connectToSuitable();
      if (!callback) return connected;
      connected.then(
        () => callback(null, this),
        (error: Error) => callback(error, this),
      );
    }

    private async connectToSuitable(): Promise<Client> {
      if (servers.isChoice) Object.assign(this, await servers.find());
      try {
        return await super.connect();
      } catch (error) {
        servers.forget();
        throw error;
      }
    }

    override query(...args: unknown[]): never {
      onStatement?.();
      return (super.query as (...all: unknown[]) => never)(...args);
    }
  };
}

/** Bytes of rows that one connection parses before other events are handled. */
const BYTES_PER_TURN = 128 * 1024;

/** Without this the driver parses up to two megabytes of rows, such as large JSON, in one turn of the event loop. */
function readInTurns(connection: EventEmitter & { stream: Socket }): void {
  let bytes = 0;
  connection.on('dataRow', ({ length }: { length: number }) => {
    bytes += length;
    if (bytes < BYTES_PER_TURN) return;
    bytes = 0;
    const { stream } = connection;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}

const CONNECT_AGAIN_MS = 3_000;

/** Waits until Postgres answers, without a limit; calls `onWait` after each failed attempt. */
export async function connectWhenAvailable(
  options: DataSourceOptions,
  onWait: (error: Error) => void,
): Promise<DataSource> {
  const silenceMs = 2 * STATEMENT_MS * new ServersOfUrl(options.url).waitFactor;
  for (;;) {
    try {
      return await openDataSource({ silenceMs, ...options });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      onWait(error as Error);
      await delay(CONNECT_AGAIN_MS);
    }
  }
}
