import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TENANT_ROLE } from '../connection/tenant-scope';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/**
 * The entries of the event log about messages that one statement recorded as sent, in one row: `new_log_batch` without
 * numbers, `event_log_batch` with them. The elements of the arrays in one place are about one message, which has an
 * entry for each of the types. An hour passes before environments that exist now use it: processes that do not know
 * these tables run until the deploy has ended, and would miss the entries.
 */
export class EventLogBatches1763288000000 implements MigrationInterface {
  readonly name = 'EventLogBatches1763288000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    await protectTable(runner, 'new_log_batch', { rights: 'SELECT' });
    await protectTable(runner, 'event_log_batch', { rights: 'SELECT' });
    // The erasure of a subscriber clears what names it.
    await runner.query(
      `GRANT UPDATE (trigger_ids, transaction_ids, subscriber_ids) ON event_log_batch TO ${TENANT_ROLE}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['event_log_batch', 'new_log_batch']) {
      await unprotectTable(runner, table);
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query(`DROP FUNCTION log_entry_id(uuid, int)`);
    await runner.query(`ALTER TABLE event_log DROP COLUMN packs_from`);
  }
}

const UP = [
  `ALTER TABLE event_log ADD COLUMN packs_from timestamptz(3) NOT NULL DEFAULT '-infinity'`,
  `DO $$ BEGIN
     IF EXISTS (SELECT 1 FROM environment) THEN
       EXECUTE format('ALTER TABLE event_log ALTER COLUMN packs_from SET DEFAULT %L', now() + interval '1 hour');
       UPDATE event_log SET packs_from = now() + interval '1 hour';
     END IF;
   END $$`,

  // The last two bytes of the id of a batch are 0, those of its entries are their place.
  `CREATE FUNCTION log_entry_id(batch uuid, place int) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT encode(overlay(uuid_send(batch) PLACING substring(int4send(place) FROM 3) FROM 15), 'hex')::uuid $$`,

  // Its ids and those of new_log_entry are in one order.
  `CREATE TABLE new_log_batch (
     id bigint NOT NULL DEFAULT nextval('new_log_entry_id_seq'),
     environment_id uuid NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     types text[] NOT NULL,
     channel text NOT NULL,
     provider_id text,
     step_ids uuid[] NOT NULL,
     -- NULL: each message has the id of its step.
     message_ids uuid[],
     trigger_ids uuid[] NOT NULL,
     subscriber_ids uuid[] NOT NULL,
     workflow_ids uuid[] NOT NULL,
     CONSTRAINT new_log_batch_pkey PRIMARY KEY (id)
   ) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05,
           autovacuum_vacuum_cost_delay = 0)`,

  `CREATE TABLE event_log_batch (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     first_sequence bigint NOT NULL,
     last_sequence bigint NOT NULL,
     created_at timestamptz(3) NOT NULL,
     types text[] NOT NULL,
     channel text NOT NULL,
     provider_id text,
     step_ids uuid[] NOT NULL,
     message_ids uuid[],
     trigger_ids uuid[] NOT NULL,
     -- NULL: the gateway made all of them, from the ids of the triggers.
     transaction_ids text[],
     subscriber_ids text[] NOT NULL,
     workflow_identifiers text[] NOT NULL,
     CONSTRAINT event_log_batch_pkey PRIMARY KEY (environment_id, id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX event_log_batch_sequence_idx ON event_log_batch (environment_id, first_sequence)`,
];
