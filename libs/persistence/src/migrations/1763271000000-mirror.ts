import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/**
 * The mirror of an environment: another system that gets a copy of each trigger for a trial, and what both did.
 *
 * `mirror_copy` has open copies only: what was sent and compared is counted in `mirror`, and what differs is a row of
 * `mirror_difference`. A copy names its environment and no mirror, so inserting it locks nothing.
 */
export class Mirror1763271000000 implements MigrationInterface {
  readonly name = 'Mirror1763271000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const table of TABLES) await protectTable(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await unprotectTable(runner, table);
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}

const TABLES = ['mirror_difference', 'mirror_copy', 'mirror'];

const UP = [
  `CREATE TABLE mirror (
     environment_id uuid NOT NULL,
     url text NOT NULL,
     key text NOT NULL,
     delivers text NOT NULL,
     compare_percent smallint NOT NULL,
     settle_seconds integer NOT NULL,
     until timestamptz(3) NOT NULL,
     -- NULL while it runs, and when the time until which it runs has passed.
     ended_at timestamptz(3),
     ended_reason text,
     figures jsonb NOT NULL DEFAULT '{}',
     -- Rows of mirror_difference, of which there is a largest number.
     differences integer NOT NULL DEFAULT 0,
     failures integer NOT NULL DEFAULT 0,
     failing_since timestamptz(3),
     last_error text,
     -- No call before this time: the circuit breaker is open, or the other system asked to wait.
     not_before timestamptz(3),
     last_answered_at timestamptz(3),
     served_at timestamptz(3),
     lease_id uuid,
     lease_until timestamptz(3),
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT mirror_pkey PRIMARY KEY (environment_id),
     CONSTRAINT mirror_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id) ON DELETE CASCADE
   )`,

  `CREATE TABLE mirror_copy (
     -- The id of the trigger, or of nothing else for a cancellation.
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     due_at timestamptz(3) NOT NULL DEFAULT now(),
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     bytes integer NOT NULL,
     -- Attempts to send that have ended, then comparisons.
     attempt smallint NOT NULL DEFAULT 0,
     is_compared boolean NOT NULL,
     kind text NOT NULL,
     state text NOT NULL DEFAULT 'waiting',
     transaction_id text NOT NULL,
     -- Encrypted, and NULL after it was sent.
     body text,
     CONSTRAINT mirror_copy_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX mirror_copy_due_idx ON mirror_copy (environment_id, state, due_at)`,
  `CREATE INDEX mirror_copy_transaction_idx ON mirror_copy (environment_id, transaction_id)`,

  `CREATE TABLE mirror_difference (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     kind text NOT NULL,
     transaction_id text NOT NULL,
     subscriber_id text,
     channel text,
     here text,
     other text,
     reason text,
     CONSTRAINT mirror_difference_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX mirror_difference_list_idx ON mirror_difference (environment_id, id)`,
  `CREATE INDEX mirror_difference_created_idx ON mirror_difference (environment_id, created_at, id)`,
];
