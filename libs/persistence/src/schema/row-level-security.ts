import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { TENANT_ROLE } from '../connection/tenant-scope';

/**
 * The second barrier between tenants. The first is the WHERE of every statement. The gateway runs the statements of a
 * caller as the role `clarion_tenant`, which row-level security limits to the rows of the caller's environment
 * (tenant-scope.ts), so a statement without the WHERE finds no rows of other tenants. Engine, workers, maintenance and
 * the command line work across environments; they run as the owner of the tables, to whom the policies do not apply.
 */
export type Protection = {
  /** The column that names the environment. */
  column?: string;
  /** The operations that a tenant may run on its rows. */
  rights?: string;
};

/** Every migration that creates a table with an `environment_id` calls this. Not for partitions. */
export async function protectTable(
  runner: QueryRunner,
  table: string,
  { column = 'environment_id', rights = 'SELECT, INSERT, UPDATE, DELETE' }: Protection = {},
): Promise<void> {
  const own = `${column} = clarion_environment()`;
  await runner.query(`ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY`);
  await runner.query(`CREATE POLICY ${TENANT_ROLE} ON "${table}" TO ${TENANT_ROLE} USING (${own}) WITH CHECK (${own})`);
  await runner.query(`GRANT ${rights} ON "${table}" TO ${TENANT_ROLE}`);
}

export async function unprotectTable(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`REVOKE ALL ON "${table}" FROM ${TENANT_ROLE}`);
  await runner.query(`DROP POLICY IF EXISTS ${TENANT_ROLE} ON "${table}"`);
  await runner.query(`ALTER TABLE "${table}" DISABLE ROW LEVEL SECURITY`);
}

/** Tables of this schema that name an environment in each row, without partitions. */
export async function listTenantTables(runner: { query(sql: string): Promise<unknown> }): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT c.relname AS name FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'environment_id' AND NOT a.attisdropped
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      ORDER BY 1`,
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Tables that are searched by trigram and GIN indexes. */
const SEARCHED_TABLES = ['subscriber', 'topic', 'context', 'notification', 'message'] as const;

/**
 * A view of the table for searches. Row-level security does not let Postgres use an index for operators that might leak
 * hidden rows, so LIKE and @> of a tenant use no index of the table. In a view of the owner they do, and its condition
 * limits a tenant to its rows: a tenant cannot create operators.
 */
export const searchable = (table: (typeof SEARCHED_TABLES)[number]): string => `${table}_search`;

/** Runs after the migrations. One that drops or changes a column drops the view of its table first. */
export async function ensureSearchViews(runner: QueryRunner): Promise<void> {
  for (const table of SEARCHED_TABLES) {
    const view = searchable(table);
    const [columns] = (await runner.query(
      `SELECT count(*) FILTER (WHERE attrelid = to_regclass($1))
              = count(*) FILTER (WHERE attrelid = to_regclass($2)) AS same
         FROM pg_attribute WHERE attrelid IN (to_regclass($1), to_regclass($2)) AND attnum > 0 AND NOT attisdropped`,
      [table, view],
    )) as { same: boolean }[];
    if (columns!.same) continue;
    await runner.query(
      `CREATE OR REPLACE VIEW ${view} AS
         SELECT * FROM "${table}" WHERE environment_id = clarion_environment() OR current_user <> '${TENANT_ROLE}'`,
    );
    await runner.query(`GRANT SELECT ON ${view} TO ${TENANT_ROLE}`);
  }
}

export async function dropSearchViews(runner: QueryRunner): Promise<void> {
  for (const table of SEARCHED_TABLES) await runner.query(`DROP VIEW IF EXISTS ${searchable(table)}`);
}

const ROLE_TRIES = 10;
const TRY_AGAIN_MS = 50;

/**
 * Roles belong to the whole server and are not part of the migrations or dumps of a database: every run of the
 * migrations checks for the role. Another database of the server may do the same at the same time; the next attempt
 * sees its result.
 */
export async function ensureTenantRole(runner: QueryRunner): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runner.query(
        `DO $$ BEGIN
           IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${TENANT_ROLE}') THEN
             CREATE ROLE ${TENANT_ROLE} NOLOGIN;
           END IF;
           IF NOT pg_has_role(current_user, '${TENANT_ROLE}', 'USAGE') THEN
             GRANT ${TENANT_ROLE} TO CURRENT_USER;
           END IF;
         END $$`,
      );
      return;
    } catch (error) {
      const { code } = (error as { driverError: { code?: string } }).driverError;
      if (code === '42501') {
        throw new Error(
          `The database login may not create the role ${TENANT_ROLE}, or may not become a member of it. ` +
            `Run once as a superuser: CREATE ROLE ${TENANT_ROLE} NOLOGIN; GRANT ${TENANT_ROLE} TO <login>;`,
          { cause: error },
        );
      }
      if (attempt >= ROLE_TRIES || !RACES.has(code ?? '')) throw error;
      await delay(TRY_AGAIN_MS);
    }
  }
}

/** Duplicate role, duplicate row of the catalog, "tuple concurrently updated". */
const RACES = new Set(['42710', '23505', 'XX000']);

/** The reason why statements of tenants would fail; undefined when they work. */
export async function tenantRoleFault(dataSource: DataSource): Promise<string | undefined> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`BEGIN; SET LOCAL ROLE ${TENANT_ROLE}; ROLLBACK`);
    return undefined;
  } catch (error) {
    await runner.query('ROLLBACK');
    const { code } = (error as { driverError: { code?: string } }).driverError;
    if (code !== '22023' && code !== '42501') throw error;
    return (
      `The database login may not act as the role ${TENANT_ROLE}: run \`npm run clarion -- migrate\` with a login ` +
      `that may create roles, and GRANT ${TENANT_ROLE} TO <login> when this process has another one`
    );
  } finally {
    await runner.release();
  }
}
