import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the workers share the limits of integrations on messages a second. */
export class SendRate1763271900000 implements MigrationInterface {
  readonly name = 'SendRate1763271900000';

  async up(runner: QueryRunner): Promise<void> {
    // After a crash of Postgres the table is empty, and the time of each integration goes on at once.
    await runner.query(
      `CREATE UNLOGGED TABLE send_rate (
         integration_id uuid NOT NULL,
         starts_at timestamptz NOT NULL,
         ends_at timestamptz NOT NULL,
         CONSTRAINT send_rate_pkey PRIMARY KEY (integration_id),
         CONSTRAINT send_rate_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration (id)
           ON DELETE CASCADE
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE send_rate`);
  }
}
