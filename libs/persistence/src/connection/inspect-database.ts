import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { Database } from './database';
import { listMissingPartitions } from '../schema/partitions';
import type { RetentionObstacle } from '../operations/maintenance.entity';
import { isPooled } from './pooler';

/** A server that receives the changes of this one. */
export type StandbyState = {
  /** Its `application_name`. */
  name: string;
  /** `streaming` when it follows; `startup`, `catchup`, `backup` or `stopping` otherwise. */
  state: string;
  /** `sync` or `quorum`: commits wait for it. `potential`: it would replace one of them. `async`: no commit waits. */
  syncState: string;
  /** What it has not applied yet. */
  lagBytes: number;
  /** How long the last changes took to be applied there; undefined when nothing has happened for a while. */
  lagSeconds?: number;
};

/** What keeps Postgres from removing dead rows: they cost every read of the tables that change much, such as `work`. */
export type VacuumObstacle = {
  kind: 'session' | 'prepared transaction' | 'replication slot' | 'standby';
  /** Process and program of a session; the name of the others. */
  name: string;
  /** For how long; null where Postgres does not know it. */
  seconds: number | null;
  /** The transactions since then. */
  transactions: number;
};

/** What the settings and the state of a Postgres mean for the promises of Clarion. */
export type DatabaseState = {
  /** For example `17.2`. */
  version: string;
  /** A standby: it accepts no writes until it is promoted. */
  isInRecovery: boolean;
  /** Writes are refused, on a standby or by a setting. */
  readOnly: boolean;
  /** `on`, `remote_apply` or `remote_write`, `local`, `off`. */
  synchronousCommit: string;
  synchronousStandbyNames: string;
  /** An acknowledged write is on a second server: a standby is synchronous now, and commits wait for it. */
  keepsCommitsOnStandby: boolean;
  /** Empty when there is none, or when the login may not see them (it needs the role `pg_monitor`). */
  standbys: StandbyState[];
  maxConnections: number;
  connections: number;
  /** The clock of the server, in milliseconds since 1970. */
  serverTime: number;
  fsync: boolean;
  fullPageWrites: boolean;
  /** The URL leads to a connection pooler. */
  pooler: boolean;
  sizeBytes: number;
  /** Partitions that maintenance should have created by now, such as `table_wYYYYMMDD`. */
  missingPartitions: string[];
  /** How long ago the last maintenance ended, and what kept it from dropping history; null before the first. */
  maintenance: { seconds: number; obstacles: RetentionObstacle[] } | null;
  /** Those that have lasted longest, of all databases of the server. */
  vacuumObstacles: VacuumObstacle[];
};

type Row = Omit<DatabaseState, 'pooler' | 'maintenance' | 'missingPartitions' | 'keepsCommitsOnStandby'>;

/** The servers that receive the changes of this one, as a JSON array of `StandbyState` with null for an unknown lag. */
export const SELECT_STANDBYS = `
  SELECT coalesce(json_agg(json_build_object(
           'name', application_name, 'state', coalesce(state, 'hidden'), 'syncState', coalesce(sync_state, 'hidden'),
           'lagBytes', coalesce(CASE WHEN NOT pg_is_in_recovery()
                                     THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END, 0),
           'lagSeconds', extract(epoch FROM replay_lag)) ORDER BY application_name), '[]')
    FROM pg_stat_replication`;

const LISTED_OBSTACLES = 50;

/** A login without `pg_monitor` sees no type of the sessions of others, and no time, but what they keep. */
const TYPE_OF_SESSION = `CASE WHEN usesysid IS NOT NULL THEN coalesce(backend_type, 'client backend') END`;
export const IS_CLIENT = `${TYPE_OF_SESSION} = 'client backend'`;

/** The open transactions of all databases, and what else can keep dead rows; then `transactions` is not null. */
export const OPEN_TRANSACTIONS = `
  SELECT kind, name, extract(epoch FROM clock_timestamp() - since)::float8 AS seconds,
         transactions::float8 AS transactions
    FROM (
      SELECT 'session' AS kind, concat_ws(' ', pid, coalesce(nullif(application_name, ''), usename)) AS name,
             xact_start AS since, greatest(age(backend_xmin), age(backend_xid)) AS transactions
        FROM pg_stat_activity
       WHERE ${TYPE_OF_SESSION} IN ('client backend', 'parallel worker', 'background worker')
         AND pid <> pg_backend_pid() AND coalesce(xact_start::text, backend_xmin::text, backend_xid::text) IS NOT NULL
      UNION ALL
      SELECT 'prepared transaction', gid, prepared, age(transaction) FROM pg_prepared_xacts
      UNION ALL
      SELECT 'replication slot', slot_name, NULL, greatest(age(xmin), age(catalog_xmin)) FROM pg_replication_slots
      UNION ALL
      SELECT 'standby', application_name, NULL, age(backend_xmin) FROM pg_stat_replication) held`;

/** A backup or a report of any program is enough; its transaction need not touch a table of ours. */
export const VACUUM_OBSTACLES = `SELECT * FROM (${OPEN_TRANSACTIONS}) o WHERE transactions IS NOT NULL`;

const SELECT_OBSTACLES = `
  SELECT coalesce(json_agg(o), '[]') FROM (
    ${VACUUM_OBSTACLES}
     ORDER BY transactions DESC, seconds DESC NULLS LAST LIMIT ${LISTED_OBSTACLES}) o`;

/** Reads the state in a few statements, also on a standby. */
export async function inspectDatabase(dataSource: DataSource): Promise<DatabaseState> {
  const [row] = await dataSource.query<Row[]>(
    `SELECT current_setting('server_version') AS version,
            pg_is_in_recovery() AS "isInRecovery",
            pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS "readOnly",
            current_setting('synchronous_commit') AS "synchronousCommit",
            current_setting('synchronous_standby_names') AS "synchronousStandbyNames",
            (${SELECT_STANDBYS}) AS standbys,
            (${SELECT_OBSTACLES}) AS "vacuumObstacles",
            current_setting('max_connections')::int AS "maxConnections",
            (SELECT count(*)::int FROM pg_stat_activity WHERE ${IS_CLIENT}) AS connections,
            floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "serverTime",
            current_setting('fsync')::bool AS fsync,
            current_setting('full_page_writes')::bool AS "fullPageWrites",
            pg_database_size(current_database())::float8 AS "sizeBytes"`,
  );
  const state = row!;
  const standbys = state.standbys.map(({ lagSeconds, ...standby }) => ({
    ...standby,
    ...(typeof lagSeconds === 'number' && { lagSeconds }),
  }));
  const waits = state.synchronousStandbyNames !== '' && !['off', 'local'].includes(state.synchronousCommit);
  return {
    ...state,
    standbys,
    keepsCommitsOnStandby: waits && standbys.some(({ syncState }) => syncState === 'sync' || syncState === 'quorum'),
    pooler: await isPooledDataSource(dataSource),
    maintenance: await lastMaintenance(dataSource),
    missingPartitions: await listMissingPartitions(new Database(dataSource)),
  };
}

async function isPooledDataSource(dataSource: DataSource): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  try {
    return await isPooled((await runner.connect()) as ClientBase);
  } finally {
    await runner.release();
  }
}

/** A database that was not migrated yet has no such table. */
async function lastMaintenance(dataSource: DataSource): Promise<DatabaseState['maintenance']> {
  const [table] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('maintenance') IS NOT NULL AS exists`,
  );
  if (!table!.exists) return null;
  const [row] = await dataSource.query<NonNullable<DatabaseState['maintenance']>[]>(
    `SELECT extract(epoch FROM now() - ended_at)::float8 AS seconds, obstacles FROM maintenance`,
  );
  return row ?? null;
}
