import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { Database } from '../connection/database';
import { migrationChecksum, migrationName, requirementOf } from './migration-checksums';
import { ensurePartitions, LOCK_SPACE, LOCKS, type PartitionLength } from './partitions';
import { isPooled } from '../connection/pooler';
import { dropSearchViews, ensureSearchViews, ensureTenantRole, tenantRoleFault } from './row-level-security';

/** A database that this build cannot migrate. The message tells the operator what to do. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

/**
 * Brings the schema up to date under an advisory lock: when several processes start at once, one migrates and the
 * others wait and find nothing left to do. Throws a `SchemaError` when a migration was edited after the database ran
 * it.
 */
export function migrate(dataSource: DataSource, length?: PartitionLength): Promise<string[]> {
  return withMigrationLock(dataSource, async (runner) => {
    const applied = await readApplied(runner);
    const report = await reportOn(dataSource.migrations, applied);
    const fault = frozenFault(report) ?? newerFault(report);
    if (fault) throw new SchemaError(fault);
    await ensureTenantRole(runner);
    await ensureMigrationTable(runner);
    const pending = pendingOf(dataSource.migrations, applied);
    for (const migration of pending) await apply(runner, migration);
    await ensureSearchViews(runner);
    await ensurePartitions(new Database(dataSource), { length });
    return pending.map(migrationName);
  });
}

/** Reverts the migrations after the named one, or all, newest first. Data is lost: for tests and development. */
export function migrateDown(dataSource: DataSource, lastToKeep?: string): Promise<void> {
  return withMigrationLock(dataSource, async (runner) => {
    await dropSearchViews(runner);
    const applied = (await readApplied(runner)).map(({ name }) => name);
    for (const name of applied.reverse()) {
      if (name === lastToKeep) return;
      const migration = dataSource.migrations.find((known) => migrationName(known) === name);
      if (!migration) throw new SchemaError(`This build does not know the migration ${name} and cannot revert it`);
      await revert(runner, migration);
    }
  });
}

/** What a database ran, compared with the migrations of this build. All lists contain names, oldest first. */
export type SchemaReport = {
  applied: string[];
  /** Of this build, and not yet run. */
  missing: string[];
  /** Run by a newer build. */
  unknown: string[];
  /** The unknown ones that this build cannot work with. */
  incompatible: string[];
  /** Run with another text than this build has. */
  changedChecksums: string[];
  /** Run by a build from before the first release, which stored no checksums. */
  withoutChecksum: string[];
};

/** For the operator: it never fails because of the state of the schema. */
export async function schemaReport(dataSource: DataSource): Promise<SchemaReport> {
  return reportOn(dataSource.migrations, await readApplied(dataSource));
}

/** The reason why this build cannot work with the schema; undefined when it can. */
export async function schemaFault(dataSource: DataSource): Promise<string | undefined> {
  const report = await schemaReport(dataSource);
  const fault = frozenFault(report);
  if (fault) return fault;
  if (report.missing.length > 0) {
    return 'The database schema is older than this build: run `npm run clarion -- migrate` first';
  }
  return newerFault(report) ?? tenantRoleFault(dataSource);
}

/** The checksum is null in databases of older builds, the requirement for a migration that only expands. */
type Applied = { name: string; checksum: string | null; requires: string | null };

/** In the order in which they ran. */
async function readApplied(connection: Pick<DataSource, 'query'>): Promise<Applied[]> {
  const [table] = await connection.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migration') IS NOT NULL AS exists`,
  );
  if (!table!.exists) return [];
  return connection.query(
    `SELECT name, to_jsonb(m) ->> 'checksum' AS checksum, to_jsonb(m) ->> 'requires' AS requires
       FROM migration m ORDER BY timestamp, id`,
  );
}

const START_ANEW =
  'start with a new database or, with `npm start`, in a new data folder ' +
  '(move the old one away, or set CLARION_DATA_DIR)';

async function reportOn(migrations: readonly MigrationInterface[], applied: readonly Applied[]): Promise<SchemaReport> {
  const known = new Set(migrations.map(migrationName));
  const changedChecksums: string[] = [];
  for (const migration of migrations) {
    const ran = applied.find(({ name }) => name === migrationName(migration));
    if (ran?.checksum && ran.checksum !== (await migrationChecksum(migration))) changedChecksums.push(ran.name);
  }
  const namesOf = (some: readonly Applied[]): string[] => some.map(({ name }) => name);
  const unknown = applied.filter(({ name }) => !known.has(name));
  return {
    applied: namesOf(applied),
    missing: pendingOf(migrations, applied).map(migrationName),
    unknown: namesOf(unknown),
    incompatible: namesOf(unknown.filter(({ requires }) => requires !== null && !known.has(requires))),
    changedChecksums,
    withoutChecksum: namesOf(applied.filter(({ checksum }) => checksum === null)),
  };
}

/** Migrations are frozen: those that the database ran must be those of this build, statement for statement. */
function frozenFault({ changedChecksums, withoutChecksum }: SchemaReport): string | undefined {
  if (withoutChecksum.length > 0) {
    return `The database was made by a build from before the first release and cannot be upgraded: ${START_ANEW}`;
  }
  if (changedChecksums.length === 0) return undefined;
  return (
    `The database ran another text of ${changedChecksums.join(', ')} than this build has. A migration must not be ` +
    `edited: restore it and put the change into a new migration. If the migration was never released, ${START_ANEW}`
  );
}

/** A newer schema is fine as long as it was only expanded: so the code can be rolled back without a backup. */
function newerFault({ incompatible }: SchemaReport): string | undefined {
  if (incompatible.length === 0) return undefined;
  const names = incompatible.join(', ');
  return (
    `The database schema is newer than this build, which cannot work after ${names}: ` +
    `start the release that ran them, or one after it`
  );
}

function pendingOf(migrations: readonly MigrationInterface[], applied: readonly Applied[]): MigrationInterface[] {
  const names = new Set(applied.map(({ name }) => name));
  return migrations
    .filter((migration) => !names.has(migrationName(migration)))
    .sort((one, other) => timestampOf(one) - timestampOf(other));
}

/** The name of a migration ends in its time. */
const timestampOf = (migration: MigrationInterface): number => Number(migrationName(migration).slice(-13));

/** An older build may have left the table without the last column, or empty and without the last two. */
async function ensureMigrationTable(runner: QueryRunner): Promise<void> {
  await runner.query(
    `CREATE TABLE IF NOT EXISTS migration (
       id serial PRIMARY KEY,
       timestamp bigint NOT NULL,
       name text NOT NULL,
       checksum text NOT NULL,
       requires text
     )`,
  );
  await runner.query(`ALTER TABLE migration ADD COLUMN IF NOT EXISTS checksum text NOT NULL`);
  await runner.query(`ALTER TABLE migration ADD COLUMN IF NOT EXISTS requires text`);
}

/** The checksum commits with the statements that it describes. */
async function apply(runner: QueryRunner, migration: MigrationInterface): Promise<void> {
  const checksum = await migrationChecksum(migration);
  await inTransaction(runner, migration, async () => {
    await migration.up(runner);
    await runner.query(`INSERT INTO migration (timestamp, name, checksum, requires) VALUES ($1, $2, $3, $4)`, [
      timestampOf(migration),
      migrationName(migration),
      checksum,
      requirementOf(migration),
    ]);
  });
}

function revert(runner: QueryRunner, migration: MigrationInterface): Promise<void> {
  return inTransaction(runner, migration, async () => {
    await migration.down(runner);
    await runner.query(`DELETE FROM migration WHERE name = $1`, [migrationName(migration)]);
  });
}

/** A migration with `transaction = false` runs without one: `CREATE INDEX CONCURRENTLY` does not work inside. */
async function inTransaction(
  runner: QueryRunner,
  { transaction = true }: MigrationInterface,
  work: () => Promise<void>,
): Promise<void> {
  if (!transaction) return work();
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

const TRY_LOCK_MS = 100;

/** Asks again and again: a waiting statement would keep a snapshot, for which the builder of an index waits. */
async function waitForLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query(`SELECT pg_try_advisory_lock($1, $2) AS is_locked`, [
      LOCK_SPACE,
      LOCKS.migrate,
    ])) as { is_locked: boolean }[];
    if (row!.is_locked) return;
    await delay(TRY_LOCK_MS);
  }
}

async function withMigrationLock<T>(dataSource: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  if (await isPooled((await runner.connect()) as ClientBase)) {
    await runner.release();
    throw new SchemaError(
      'Migrations need a direct connection, and this URL leads to a connection pooler: ' +
        'set CLARION_DATABASE_DIRECT_URL to the URL of Postgres itself',
    );
  }
  try {
    await runner.query(`SET statement_timeout = 0; SET lock_timeout = 0`);
    await waitForLock(runner);
    // Migrating a large table has no time limit. But a statement that waits for a lock blocks all statements behind it:
    // a migration that does not get its lock soon fails, and the operator starts it again.
    await runner.query(`RESET lock_timeout`);
    return await work(runner);
  } finally {
    await runner.query(`SELECT pg_advisory_unlock($1, $2)`, [LOCK_SPACE, LOCKS.migrate]).catch(() => undefined);
    await runner.query(`RESET statement_timeout; RESET lock_timeout`).catch(() => undefined);
    await runner.release();
  }
}
