import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A request with an idempotency key takes the key by a record without an answer, so that no transaction is open while
 * the request waits for a provider. The lease ends by itself when the process that took the key is gone.
 */
export class IdempotencyClaims1700000005100 implements MigrationInterface {
  name = 'IdempotencyClaims1700000005100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE idempotency_record
         ALTER COLUMN status DROP NOT NULL,
         ALTER COLUMN content_type DROP NOT NULL,
         ALTER COLUMN body DROP NOT NULL,
         ADD COLUMN claim uuid,
         ADD COLUMN lease_until timestamptz(3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM idempotency_record WHERE status IS NULL`);
    await runner.query(
      `ALTER TABLE idempotency_record
         ALTER COLUMN status SET NOT NULL,
         ALTER COLUMN content_type SET NOT NULL,
         ALTER COLUMN body SET NOT NULL,
         DROP COLUMN claim,
         DROP COLUMN lease_until`,
    );
  }
}
