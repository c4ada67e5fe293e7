import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who set a hold or a limit: what the operator set, only the operator lifts. A hold of the operator over that of a key
 * keeps the latter (`beneath`), which stays when the operator resumes. A limit without a source was set before this
 * column existed and counts as the operator's.
 */
export class SetByOperator1763283000000 implements MigrationInterface {
  readonly name = 'SetByOperator1763283000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE hold ADD COLUMN by_operator boolean NOT NULL DEFAULT false, ADD COLUMN beneath jsonb`,
    );
    await runner.query(`UPDATE hold SET by_operator = true WHERE held_by = 'the command line'`);
    await runner.query(`ALTER TABLE environment_limit ADD COLUMN sources jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment_limit DROP COLUMN sources`);
    await runner.query(`ALTER TABLE hold DROP COLUMN beneath, DROP COLUMN by_operator`);
  }
}
