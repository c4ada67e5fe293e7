import { readdirSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { Process } from './processes';

const TICKS_PER_SECOND = 100;

/** Seconds of processor time and bytes, since the processes started. */
export type Spent = Record<
  'gateway' | 'engine' | 'worker' | 'postgres' | 'redis' | 'databaseBytes' | 'walBytes',
  number
>;

export async function readSpent(
  sql: Pool,
  redis: Redis,
  roles: Record<'gateway' | 'engine' | 'worker', Process>,
): Promise<Spent> {
  const { rows } = await sql.query<{ pid: number; database: number; wal: number }>(
    `SELECT pg_backend_pid() AS pid, pg_database_size(current_database())::float8 AS database,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal`,
  );
  const { pid, database, wal } = rows[0]!;
  const server = statOf(pid)!.parent;
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))![1]);
  const ofProcess = (id: number): number => statOf(id)!.own;
  return {
    gateway: ofProcess(roles.gateway.pid),
    engine: ofProcess(roles.engine.pid),
    worker: ofProcess(roles.worker.pid),
    postgres: ofServer(server),
    redis: ofProcess(redisPid),
    databaseBytes: database,
    walBytes: wal,
  };
}

/** All processes of Postgres, including those that have ended. */
function ofServer(server: number): number {
  const { own, ended } = statOf(server)!;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === server);
  return children.reduce((sum, stat) => sum + stat!.own, own + ended);
}

/** Processor time of a process and its ended children, in seconds. */
function statOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    return {
      parent: fields[1]!,
      own: (fields[11]! + fields[12]!) / TICKS_PER_SECOND,
      ended: (fields[13]! + fields[14]!) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

/**
 * Rows that were updated since the database was created, by table; partitions count for their table. A process reports
 * its counts late, but at the latest when it ends, so the services must have stopped.
 */
export async function readUpdates(sql: Pool): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ table: string; updates: number }>(
    `SELECT coalesce(pg_partition_root(relid), relid)::regclass::text AS table, sum(n_tup_upd)::float8 AS updates
       FROM pg_stat_user_tables GROUP BY 1 HAVING sum(n_tup_upd) > 0`,
  );
  return Object.fromEntries(rows.map(({ table, updates }) => [table, updates]));
}
