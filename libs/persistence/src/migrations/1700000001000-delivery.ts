import type { MigrationInterface, QueryRunner } from 'typeorm';
import { listPartitionNames } from '../partitions';

/**
 * What running a notification needs on top of the foundation. * A claim only moves `lease_until`, `fence` and the
 * counters, none of which is in an index, so that Postgres can keep the new row version on the same page (HOT); the
 * fill factor of `step` and `trigger` leaves room for that. The sweeper walks `step_due_idx` by environment and type,
 * because a long queue of one tenant must not hide the short one of another.
 */
export class Delivery1700000001000 implements MigrationInterface {
  name = 'Delivery1700000001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const table of ['step', 'trigger']) {
      for (const name of await listPartitionNames(runner, table)) {
        await runner.query(`ALTER TABLE ${name} SET (fillfactor = 70)`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // Ids of rows that are made inside a statement; time first, like the ids that the application makes.
  `CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
     SELECT encode(
       set_byte(
         overlay(uuid_send(gen_random_uuid())
                 PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
         6, 112 + floor(random() * 16)::int),
       'hex')::uuid $$`,

  `ALTER TABLE step
     ADD COLUMN offered_until timestamptz(3),
     ADD COLUMN sending_since timestamptz(3),
     ADD COLUMN next_step_id uuid,
     ADD COLUMN digest_master_id uuid,
     ADD COLUMN integration_id uuid`,
  // Each has another way: a transaction knows its trigger, its notifications know their steps, and a notification is of
  // one
  // subscriber, whose messages are at hand. Every write would have to keep them.
  `DROP INDEX trigger_transaction_idx`,
  `DROP INDEX step_transaction_idx`,
  `DROP INDEX message_notification_idx`,
  `DROP INDEX step_due_idx`,
  `CREATE INDEX step_due_idx ON step (environment_id, type, due_at) WHERE state IN ('queued', 'delayed')`,
  `CREATE INDEX step_failed_idx ON step (environment_id, notification_id) WHERE state = 'failed'`,
  `CREATE INDEX step_digest_master_idx ON step (digest_master_id) WHERE digest_master_id IS NOT NULL`,

  `ALTER TABLE trigger ADD COLUMN offered_until timestamptz(3), ADD COLUMN error text`,

  `ALTER TABLE open_digest ADD COLUMN notification_id uuid NOT NULL`,

  // Counts of events per key: throttles, and digests that look back. A window that has ended starts again at one.
  `CREATE TABLE step_window (
     environment_id uuid NOT NULL,
     workflow_id uuid NOT NULL,
     step_key text NOT NULL,
     subscriber_id uuid NOT NULL,
     window_key text NOT NULL,
     events integer NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     CONSTRAINT step_window_pkey PRIMARY KEY (environment_id, workflow_id, step_key, subscriber_id, window_key)
   )`,
  `CREATE INDEX step_window_expires_idx ON step_window (expires_at)`,

  // Files that came with a trigger; the payload keeps their names and sizes.
  `CREATE TABLE attachment (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     trigger_id uuid NOT NULL,
     position smallint NOT NULL,
     name text NOT NULL,
     mime text NOT NULL,
     content bytea NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT attachment_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX attachment_trigger_idx ON attachment (environment_id, trigger_id)`,

  // Fan-out walks the members of a topic in the order of their ids, each of them once.
  `CREATE INDEX topic_subscription_member_idx ON topic_subscription (topic_id, subscriber_id)`,

  // Lists of tenants and contexts; a context is searched by its key, `type:id`.
  `CREATE INDEX tenant_list_idx ON tenant (environment_id, id)`,
  `CREATE INDEX context_list_idx ON context (environment_id, id)`,
  `CREATE INDEX context_created_idx ON context (environment_id, created_at, id)`,
  `CREATE INDEX context_updated_idx ON context (environment_id, updated_at, id)`,
  `CREATE INDEX context_id_idx ON context (environment_id, context_id)`,
  `CREATE INDEX context_key_trgm_idx ON context USING gin ((type || ':' || context_id) gin_trgm_ops)`,

  `CREATE INDEX message_snoozed_idx ON message (snoozed_until) WHERE snoozed_until IS NOT NULL`,

  // What the workers know about a provider account: its circuit breaker, and until when it asked for a pause.
  `ALTER TABLE integration ADD COLUMN health jsonb`,
];

const DOWN = [
  `ALTER TABLE integration DROP COLUMN health`,
  `DROP INDEX message_snoozed_idx`,
  `DROP INDEX topic_subscription_member_idx`,
  ...['context_key_trgm', 'context_id', 'context_updated', 'context_created', 'context_list', 'tenant_list'].map(
    (name) => `DROP INDEX ${name}_idx`,
  ),
  `DROP TABLE attachment`,
  `DROP TABLE step_window`,
  `ALTER TABLE open_digest DROP COLUMN notification_id`,
  `ALTER TABLE trigger DROP COLUMN offered_until, DROP COLUMN error`,
  `DROP INDEX step_failed_idx`,
  `DROP INDEX step_digest_master_idx`,
  `DROP INDEX step_due_idx`,
  `ALTER TABLE step
     DROP COLUMN offered_until, DROP COLUMN sending_since, DROP COLUMN next_step_id,
     DROP COLUMN digest_master_id, DROP COLUMN integration_id`,
  `CREATE INDEX step_due_idx ON step (due_at) WHERE state IN ('queued', 'running', 'delayed')`,
  `CREATE INDEX message_notification_idx ON message (notification_id)`,
  `CREATE INDEX step_transaction_idx ON step (environment_id, transaction_id)`,
  `CREATE INDEX trigger_transaction_idx ON trigger (environment_id, transaction_id)`,
  `DROP FUNCTION uuid_v7()`,
];
