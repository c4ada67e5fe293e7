import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which integration a replay sends through, instead of that of the first attempt. */
export class ReplayThrough1763298000000 implements MigrationInterface {
  readonly name = 'ReplayThrough1763298000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bulk_action ADD COLUMN through jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE bulk_action DROP COLUMN through`);
  }
}
