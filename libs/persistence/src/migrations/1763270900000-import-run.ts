import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Imports from another system that have not ended: how far each is, so that the next run goes on from there. */
export class ImportRun1763270900000 implements MigrationInterface {
  readonly name = 'ImportRun1763270900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE import_run (
         environment_id uuid NOT NULL,
         -- The URL of the other system.
         source text NOT NULL,
         -- Cursors and counts of each kind, and the items that were not imported.
         progress jsonb NOT NULL,
         -- Each write increases it: of two imports at the same time, one can write.
         fence integer NOT NULL DEFAULT 0,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT import_run_pkey PRIMARY KEY (environment_id, source),
         CONSTRAINT import_run_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE
       )`,
    );
    await protectTable(runner, 'import_run', { rights: 'SELECT' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotectTable(runner, 'import_run');
    await runner.query(`DROP TABLE import_run`);
  }
}
