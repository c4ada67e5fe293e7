import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  dropSearchViews,
  listTenantTables,
  type Protection,
  protectTable,
  unprotectTable,
} from '../row-level-security';
import { TENANT_ROLE } from '../tenant-scope';

/**
 * Row-level security on every table with an `environment_id`, for the role that the gateway acts as on behalf of its
 * callers. `migrate` makes the role before. What has no policy and no right here (organizations, the list of
 * migrations, partitions by their own names) is closed to tenants.
 */
export class RowLevelSecurity1700000005000 implements MigrationInterface {
  name = 'RowLevelSecurity1700000005000';

  async up(runner: QueryRunner): Promise<void> {
    // NULL without a setting, which equals no environment.
    await runner.query(
      `CREATE FUNCTION clarion_environment() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
       $$ SELECT nullif(current_setting('clarion.environment_id', true), '')::uuid $$`,
    );
    await runner.query(
      `DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${TENANT_ROLE}', current_schema()); END $$`,
    );
    for (const table of await listTenantTables(runner)) await protectTable(runner, table, NARROWER[table]);
    // Callers change their own environment, and lock its row to put their changes in order.
    await protectTable(runner, 'environment', { column: 'id', rights: 'SELECT, UPDATE' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSearchViews(runner);
    for (const table of ['environment', ...(await listTenantTables(runner))]) await unprotectTable(runner, table);
    await runner.query(
      `DO $$ BEGIN EXECUTE format('REVOKE ALL ON SCHEMA %I FROM ${TENANT_ROLE}', current_schema()); END $$`,
    );
    await runner.query(`DROP FUNCTION clarion_environment()`);
    // The role stays: other databases of the server may use it.
  }
}

const NARROWER: Record<string, Protection> = {
  api_key: { rights: 'SELECT, INSERT, UPDATE' },
  audit_log: { rights: 'SELECT, INSERT' },
  workflow_version: { rights: 'SELECT, INSERT' },
};
