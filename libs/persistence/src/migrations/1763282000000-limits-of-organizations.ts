import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose events, messages and render time count for the limits of a row: of the environment, or of its organization. */
export class LimitsOfOrganizations1763282000000 implements MigrationInterface {
  readonly name = 'LimitsOfOrganizations1763282000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment_limit ADD COLUMN counts text NOT NULL DEFAULT 'environment'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment_limit DROP COLUMN counts`);
  }
}
