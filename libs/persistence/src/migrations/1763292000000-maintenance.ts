import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the last maintenance ended, for `doctor`, the metrics and their alerts. */
export class Maintenance1763292000000 implements MigrationInterface {
  readonly name = 'Maintenance1763292000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE maintenance (
         id smallint NOT NULL,
         ended_at timestamptz(3) NOT NULL,
         obstacles jsonb NOT NULL DEFAULT '[]',
         CONSTRAINT maintenance_pkey PRIMARY KEY (id),
         CONSTRAINT maintenance_id_check CHECK (id = 1)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE maintenance`);
  }
}
