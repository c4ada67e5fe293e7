import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the caller said that an event is a test; its execution details say so too. */
export class TestTriggers1763291000000 implements MigrationInterface {
  readonly name = 'TestTriggers1763291000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE trigger ADD COLUMN is_test boolean`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE trigger DROP COLUMN is_test`);
  }
}
