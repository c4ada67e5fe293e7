import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The kind of an environment, what its channels do without an integration, and the time to live of triggers. */
export class HonestOutcomes1763260000000 implements MigrationInterface {
  readonly name = 'HonestOutcomes1763260000000';

  async up(runner: QueryRunner): Promise<void> {
    // An environment that the previous release adds while both run is of the kind that does not use the outbox.
    await runner.query(
      `ALTER TABLE environment
         ADD COLUMN kind text NOT NULL DEFAULT 'production'
           CONSTRAINT environment_kind_check CHECK (kind IN ('development', 'production', 'sandbox')),
         ADD COLUMN without_integration text NOT NULL DEFAULT 'fail'
           CONSTRAINT environment_without_integration_check CHECK (without_integration IN ('fail', 'hold'))`,
    );
    await runner.query(`UPDATE environment SET kind = 'development' WHERE type = 'dev'`);
    await runner.query(
      `UPDATE integration i SET active = false, updated_at = now() FROM environment e
        WHERE e.id = i.environment_id AND e.kind = 'production' AND i.active
          AND i.provider_id IN ('platform-email', 'platform-sms', 'platform-slack')`,
    );
    await runner.query(`ALTER TABLE trigger ADD COLUMN ttl integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE trigger DROP COLUMN ttl`);
    await runner.query(`ALTER TABLE environment DROP COLUMN kind, DROP COLUMN without_integration`);
  }
}
