import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The origins whose pages may use the inbox of an environment; null means every origin. */
export class InboxOrigins1763270000000 implements MigrationInterface {
  readonly name = 'InboxOrigins1763270000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment ADD COLUMN allowed_origins text[]`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment DROP COLUMN allowed_origins`);
  }
}
