import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TENANT_ROLE } from '../connection/tenant-scope';

/** Lets the erasure of a subscriber, which runs with the rights of a tenant, delete unfinished imports that name it. */
export class EraseImports1763273200000 implements MigrationInterface {
  readonly name = 'EraseImports1763273200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`GRANT DELETE ON import_run TO ${TENANT_ROLE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE DELETE ON import_run FROM ${TENANT_ROLE}`);
  }
}
