import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a report of a provider may change: an address is suppressed only for a message that went to it, and a signature
 * that does not cover the body counts with the first body alone.
 */
export class Inbound1700000008000 implements MigrationInterface {
  name = 'Inbound1700000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE message ADD COLUMN recipients text[]`);
    await runner.query(`ALTER TABLE delivery_event ADD COLUMN report_hash text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE delivery_event DROP COLUMN report_hash`);
    await runner.query(`ALTER TABLE message DROP COLUMN recipients`);
  }
}
