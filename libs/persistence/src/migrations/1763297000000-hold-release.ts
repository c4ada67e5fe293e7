import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the next release of the steps of a hold begins. */
export class HoldRelease1763297000000 implements MigrationInterface {
  readonly name = 'HoldRelease1763297000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE hold ADD COLUMN released_to timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE hold DROP COLUMN released_to`);
  }
}
