import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a sweeper last reached the database: after a longer time, holders get a grace before their claims end. */
export class Sweep1763260100000 implements MigrationInterface {
  readonly name = 'Sweep1763260100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE sweep (
         id smallint NOT NULL,
         swept_at timestamptz(3) NOT NULL,
         -- No lapsed claim is ended before.
         grace_until timestamptz(3) NOT NULL,
         CONSTRAINT sweep_pkey PRIMARY KEY (id),
         CONSTRAINT sweep_id_check CHECK (id = 1)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sweep`);
  }
}
