import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether values that templates write into HTML are escaped; imported workflows may rely on values that are HTML. */
export class Authoring1700000007000 implements MigrationInterface {
  name = 'Authoring1700000007000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workflow ADD COLUMN escape_html boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workflow DROP COLUMN escape_html`);
  }
}
