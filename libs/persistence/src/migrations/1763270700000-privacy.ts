import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TENANT_ROLE } from '../connection/tenant-scope';

/** Entries of the event log keep their numbers; what they say about an erased subscriber is removed. */
const CHANGED_TABLES = ['event_log_entry', 'new_log_entry'];

/** Lets the erasure of a subscriber, which runs with the rights of a tenant, clear entries of the event log. */
export class Privacy1763270700000 implements MigrationInterface {
  readonly name = 'Privacy1763270700000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of CHANGED_TABLES) await runner.query(`GRANT UPDATE (data) ON ${table} TO ${TENANT_ROLE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of CHANGED_TABLES) await runner.query(`REVOKE UPDATE (data) ON ${table} FROM ${TENANT_ROLE}`);
  }
}
