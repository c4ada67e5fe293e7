import { type DataSource, MigrationExecutor } from 'typeorm';
import { Database } from './database';
import { ensurePartitions, LOCK_SPACE, LOCKS } from './partitions';
import { dropSearchViews, ensureSearchViews, ensureTenantRole, tenantRoleFault } from './row-level-security';

/**
 * Brings the schema up to date under an advisory lock: when several processes start at once, one migrates and the
 * others wait and find nothing left to do.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query(`SET statement_timeout = 0; SET lock_timeout = 0`);
    await lock.query(`SELECT pg_advisory_lock($1, $2)`, [LOCK_SPACE, LOCKS.migrate]);
    // Migrating a large table has no time limit. But a statement that waits for a lock blocks all statements behind it:
    // a migration that does not get its lock soon fails, and the operator starts it again.
    await lock.query(`RESET lock_timeout`);
    await ensureTenantRole(lock);
    const executor = new MigrationExecutor(dataSource, lock);
    executor.transaction = 'each';
    const applied = await executor.executePendingMigrations();
    await ensureSearchViews(lock);
    await ensurePartitions(new Database(dataSource));
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock($1, $2)`, [LOCK_SPACE, LOCKS.migrate]).catch(() => undefined);
    await lock.query(`RESET statement_timeout; RESET lock_timeout`).catch(() => undefined);
    await lock.release();
  }
}

/** Reverts the migrations after the named one, or all, newest first. Data is lost: for tests and development. */
export async function migrateDown(dataSource: DataSource, lastToKeep?: string): Promise<void> {
  const runner = dataSource.createQueryRunner();
  await dropSearchViews(runner).finally(() => runner.release());
  for (;;) {
    const newest = await newestMigration(dataSource);
    if (newest === undefined || newest === lastToKeep) return;
    await dataSource.undoLastMigration({ transaction: 'each' });
  }
}

/** The reason why this build cannot work with the schema; undefined when it can. */
export async function schemaFault(dataSource: DataSource): Promise<string | undefined> {
  if (await dataSource.showMigrations()) {
    return 'The database schema is older than this build: run `npm run clarion -- migrate` first';
  }
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const rows: { name: string }[] = await dataSource.query(
    `SELECT name FROM migration WHERE name <> ALL ($1) ORDER BY name`,
    [known],
  );
  if (rows.length === 0) return tenantRoleFault(dataSource);
  const names = rows.map(({ name }) => name).join(', ');
  return `The database schema is newer than this build, which does not know ${names}: start the release that made them`;
}

async function newestMigration(dataSource: DataSource): Promise<string | undefined> {
  const rows: { name: string }[] = await dataSource.query(`SELECT name FROM migration ORDER BY timestamp DESC LIMIT 1`);
  return rows[0]?.name;
}
