import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a bulk action is slow: batches that failed in a row, and the last reason. All engines go by them. */
export class BulkActionFailures1763283100000 implements MigrationInterface {
  readonly name = 'BulkActionFailures1763283100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE bulk_action ADD COLUMN failures smallint NOT NULL DEFAULT 0, ADD COLUMN last_error text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bulk_action DROP COLUMN last_error, DROP COLUMN failures`);
  }
}
