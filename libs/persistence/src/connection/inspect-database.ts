import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { Database } from './database';
import { listMissingPartitions } from '../schema/partitions';
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
  /** Weeks of the partitioned tables that maintenance should have created by now, as `table_wYYYYMMDD`. */
  missingPartitions: string[];
};

type Row = Omit<DatabaseState, 'pooler' | 'missingPartitions' | 'keepsCommitsOnStandby'>;

/** The servers that receive the changes of this one, as a JSON array of `StandbyState` with null for an unknown lag. */
export const SELECT_STANDBYS = `
  SELECT coalesce(json_agg(json_build_object(
           'name', application_name, 'state', coalesce(state, 'hidden'), 'syncState', coalesce(sync_state, 'hidden'),
           'lagBytes', coalesce(CASE WHEN NOT pg_is_in_recovery()
                                     THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END, 0),
           'lagSeconds', extract(epoch FROM replay_lag)) ORDER BY application_name), '[]')
    FROM pg_stat_replication`;

/** Reads the state in a few statements, also on a standby. */
export async function inspectDatabase(dataSource: DataSource): Promise<DatabaseState> {
  const [row] = await dataSource.query<Row[]>(
    `SELECT current_setting('server_version') AS version,
            pg_is_in_recovery() AS "isInRecovery",
            pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS "readOnly",
            current_setting('synchronous_commit') AS "synchronousCommit",
            current_setting('synchronous_standby_names') AS "synchronousStandbyNames",
            (${SELECT_STANDBYS}) AS standbys,
            current_setting('max_connections')::int AS "maxConnections",
            (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
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
