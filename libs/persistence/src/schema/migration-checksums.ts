import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** String literals, quoted names and function bodies stay as they are; the last group is comments and white space. */
// eslint-disable-next-line clarion/no-quadratic-search -- it reads only our own migrations
const SQL_PARTS = /('(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\2\$)|(?:--[^\n]*|\/\*[^]*?\*\/|\s+)+/g;

/** The statement without comments and line breaks: a migration may be formatted again. */
export const normalizeSql = (sql: string): string =>
  sql.replace(SQL_PARTS, (_, kept: string | undefined) => kept ?? ' ').trim();

/**
 * The checksum of a migration: SHA-256 over the statements of `up` and `down`, as they run on a database that answers
 * every query without rows. It does not depend on the build or on comments. It covers the helpers that the migration
 * calls, so a helper that landed migrations call is frozen with them.
 */
export async function migrationChecksum(migration: MigrationInterface): Promise<string> {
  const statements = {
    transaction: migration.transaction ?? true,
    // Left out of the text when it is undefined, so the checksums from before this property stay the same.
    requires: requirementOf(migration),
    up: await recordStatements((runner) => migration.up(runner)),
    down: await recordStatements((runner) => migration.down(runner)),
  };
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex');
}

type Statement = [sql: string, parameters: unknown[]];

/** What a part of a migration runs on a database that answers every query without rows. */
export async function recordStatements(run: (runner: QueryRunner) => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const runner = {
    query: (sql: string, parameters: unknown[] = []) => {
      statements.push([normalizeSql(sql), parameters]);
      return Promise.resolve([]);
    },
  };
  await run(runner as unknown as QueryRunner);
  return statements;
}

export const migrationName = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name;

/**
 * A migration that contracts the schema: it removes or changes what older code uses. `requires` names the migration
 * that a build must know to work after it: the migration of the first release that no longer used what is removed, or
 * the contracting one itself. Migrations without it only expand the schema, and builds from before them keep working.
 */
type ContractingMigration = MigrationInterface & { readonly requires: string };

export const requirementOf = (migration: MigrationInterface): string | undefined =>
  (migration as Partial<ContractingMigration>).requires;
