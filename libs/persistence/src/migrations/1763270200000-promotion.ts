import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Environments that were deleted, and the history of what was published to an environment. */
export class Promotion1763270200000 implements MigrationInterface {
  readonly name = 'Promotion1763270200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment ADD COLUMN deleted_at timestamptz(3)`);
    await runner.query(
      `CREATE TABLE publish (
         id uuid NOT NULL,
         -- The environment that was changed.
         environment_id uuid NOT NULL,
         -- NULL when the resources came from files or from an earlier publish.
         source_environment_id uuid,
         origin text NOT NULL,
         -- The publish that this one has undone.
         undoes uuid,
         actor_type text NOT NULL,
         actor_id uuid,
         actor_name text,
         -- What was changed, field by field, as the history shows it.
         resources jsonb NOT NULL,
         -- What the changed resources were before, and a fingerprint of what they became: undo needs both.
         replaced jsonb NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT publish_pkey PRIMARY KEY (environment_id, id),
         CONSTRAINT publish_origin_check CHECK (origin IN ('publish', 'sync', 'files', 'undo')),
         CONSTRAINT publish_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE
       )`,
    );
    // A publish is undone once.
    await runner.query(`CREATE UNIQUE INDEX publish_undoes_key ON publish (environment_id, undoes)`);
    await protectTable(runner, 'publish', { rights: 'SELECT' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotectTable(runner, 'publish');
    await runner.query(`DROP TABLE publish`);
    await runner.query(`ALTER TABLE environment DROP COLUMN deleted_at`);
  }
}
