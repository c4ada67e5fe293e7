import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/**
 * Replays and cancellations of a frozen set: the items are stored before a person confirms their number. An item is a
 * step that is replayed, or a notification whose open steps are canceled. Items are worked off in the order of their
 * ids up to `cursor_id`, so progress is one column and a batch reads one range of the primary key.
 */
export class BulkActions1763250200000 implements MigrationInterface {
  name = 'BulkActions1763250200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE bulk_action (
         id uuid NOT NULL CONSTRAINT bulk_action_pkey PRIMARY KEY,
         environment_id uuid NOT NULL
           CONSTRAINT bulk_action_environment_id_fkey REFERENCES environment (id) ON DELETE CASCADE,
         action text NOT NULL,
         state text NOT NULL DEFAULT 'planned',
         selected integer NOT NULL,
         count integer NOT NULL,
         notifications integer NOT NULL,
         may_be_duplicates integer NOT NULL,
         duplicate_sample uuid[] NOT NULL DEFAULT '{}',
         has_more boolean NOT NULL DEFAULT false,
         per_second integer NOT NULL,
         done integer NOT NULL DEFAULT 0,
         unchanged integer NOT NULL DEFAULT 0,
         failed integer NOT NULL DEFAULT 0,
         cursor_id uuid,
         next_at timestamptz(3),
         started_at timestamptz(3),
         ended_at timestamptz(3),
         created_at timestamptz(3) NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(`CREATE INDEX bulk_action_list_idx ON bulk_action (environment_id, id)`);
    await runner.query(`CREATE INDEX bulk_action_running_idx ON bulk_action (next_at) WHERE state = 'running'`);
    await runner.query(`CREATE INDEX bulk_action_created_idx ON bulk_action (created_at)`);
    await runner.query(
      `CREATE TABLE bulk_action_item (
         bulk_action_id uuid NOT NULL
           CONSTRAINT bulk_action_item_action_fkey REFERENCES bulk_action (id) ON DELETE CASCADE,
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         ended_at timestamptz(3),
         outcome text,
         CONSTRAINT bulk_action_item_pkey PRIMARY KEY (bulk_action_id, id)
       )`,
    );
    await protectTable(runner, 'bulk_action');
    await protectTable(runner, 'bulk_action_item');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['bulk_action_item', 'bulk_action']) {
      await unprotectTable(runner, table);
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
