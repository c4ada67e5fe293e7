import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Holds, the open steps that wait for them, and the history of the health of integrations. */
export class Holds1763250300000 implements MigrationInterface {
  readonly name = 'Holds1763250300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE hold (
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         target text NOT NULL,
         target_id text NOT NULL,
         -- As the target was called when it was held.
         target_name text NOT NULL,
         reason text NOT NULL,
         held_by text NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         -- From then on its steps are released, some each second; the last release deletes the row.
         resumed_at timestamptz(3),
         released_at timestamptz(3),
         CONSTRAINT hold_pkey PRIMARY KEY (id),
         CONSTRAINT hold_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id) ON DELETE CASCADE
       )`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX hold_target_key ON hold (environment_id, target, target_id) WHERE resumed_at IS NULL`,
    );
    await protectTable(runner, 'hold', { rights: 'SELECT, INSERT, UPDATE' });
    await runner.query(`ALTER TABLE work ADD COLUMN hold_id uuid`);
    // No row has a hold yet, so the index is empty, and building it reads the open rows once. It finds the steps of a
    // hold in the order in which they were due.
    await runner.query(`CREATE INDEX work_hold_idx ON work (hold_id, due_at) WHERE hold_id IS NOT NULL`);
    // The last states of the account, newest first.
    await runner.query(`ALTER TABLE integration ADD COLUMN health_history jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE integration DROP COLUMN health_history`);
    await runner.query(`ALTER TABLE work DROP COLUMN hold_id`);
    await unprotectTable(runner, 'hold');
    await runner.query(`DROP TABLE hold`);
  }
}
