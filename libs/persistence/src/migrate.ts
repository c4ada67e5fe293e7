import type { DataSource } from 'typeorm';
import { Database } from './database';
import { ensurePartitions, LOCK_SPACE, LOCKS } from './partitions';

/**
 * Brings the schema up to date. Runs under an advisory lock, so any number of processes may start at once: one migrates,
 * the others wait and find nothing left to do.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query(`SET statement_timeout = 0; SET lock_timeout = 0`);
    await lock.query(`SELECT pg_advisory_lock($1, $2)`, [LOCK_SPACE, LOCKS.migrate]);
    const applied = await dataSource.runMigrations();
    await ensurePartitions(new Database(dataSource));
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock($1, $2)`, [LOCK_SPACE, LOCKS.migrate]).catch(() => undefined);
    await lock.query(`RESET statement_timeout; RESET lock_timeout`).catch(() => undefined);
    await lock.release();
  }
}

/** Takes everything back, newest first. Data is lost; a test and a developer's tool. */
export async function migrateDown(dataSource: DataSource): Promise<void> {
  while ((await appliedMigrations(dataSource)) > 0) await dataSource.undoLastMigration({ transaction: 'each' });
}

/** Whether every migration of this build has been applied. */
export async function isMigrated(dataSource: DataSource): Promise<boolean> {
  return !(await dataSource.showMigrations());
}

async function appliedMigrations(dataSource: DataSource): Promise<number> {
  const rows: { count: string | number }[] = await dataSource.query(`SELECT count(*) AS count FROM migration`);
  return Number(rows[0]!.count);
}
