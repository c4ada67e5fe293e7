import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the steps of a workflow wait for the retries of an earlier step. */
export class WhileRetrying1763285000000 implements MigrationInterface {
  readonly name = 'WhileRetrying1763285000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workflow ADD COLUMN while_retrying text NOT NULL DEFAULT 'continue'
         CONSTRAINT workflow_while_retrying_check CHECK (while_retrying IN ('continue', 'wait'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workflow DROP COLUMN while_retrying`);
  }
}
