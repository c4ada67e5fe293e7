import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/**
 * A replay takes steps out of the counts of failures. `replayed` keeps how many, `recovered` counts those that were
 * delivered then, and `replayed_failure` keeps how each of them had failed.
 */
export class ReplayedFailures1763290000000 implements MigrationInterface {
  readonly name = 'ReplayedFailures1763290000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['outcome_delta', 'outcome_count']) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN replayed integer NOT NULL DEFAULT 0,
                              ADD COLUMN recovered integer NOT NULL DEFAULT 0`,
      );
    }
    await runner.query(
      `CREATE TABLE replayed_failure (
         environment_id uuid NOT NULL,
         step_id uuid NOT NULL,
         failed_at timestamptz(3) NOT NULL,
         subscriber_id uuid NOT NULL,
         channel text NOT NULL,
         outcome text NOT NULL,
         provider_id text,
         integration_id uuid,
         code text,
         reason text,
         CONSTRAINT replayed_failure_pkey PRIMARY KEY (environment_id, step_id, failed_at)
       )`,
    );
    // Tenants replay, and erase subscribers.
    await protectTable(runner, 'replayed_failure', { rights: 'SELECT, INSERT, DELETE' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotectTable(runner, 'replayed_failure');
    await runner.query(`DROP TABLE replayed_failure`);
    for (const table of ['outcome_delta', 'outcome_count']) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN recovered, DROP COLUMN replayed`);
    }
  }
}
