import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identifiers that environments no longer have. Pages may still name them, so no other organization gets them. */
export class FormerIdentifiers1763271100000 implements MigrationInterface {
  readonly name = 'FormerIdentifiers1763271100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE former_identifier (
         identifier text NOT NULL,
         organization_id uuid NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT former_identifier_pkey PRIMARY KEY (identifier),
         CONSTRAINT former_identifier_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization (id)
           ON DELETE CASCADE
       )`,
    );
    await runner.query(`CREATE INDEX former_identifier_organization_idx ON former_identifier (organization_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE former_identifier`);
  }
}
