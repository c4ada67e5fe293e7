import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for lists by `created_at`. * A message has the time of its step in its id, but is written when it is sent,
 * and a snooze moves its `created_at`: the order of ids is not the order of arrival. Its four list indexes change their
 * order; none is added, so a message costs as many index entries as before. * And what a trigger sends under
 * `controls`, and the variables that a workflow reads, found when it is saved.
 */
export class Reading1700000006000 implements MigrationInterface {
  name = 'Reading1700000006000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of MESSAGE_INDEXES) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON message (${[...columns, 'created_at', 'id'].join(', ')})`);
    }
    await runner.query(`ALTER TABLE trigger ADD COLUMN controls jsonb`);
    await runner.query(`ALTER TABLE workflow ADD COLUMN variables jsonb NOT NULL DEFAULT '{}'`);
    for (const [name, table, column] of CREATED_INDEXES) {
      await runner.query(`CREATE INDEX ${name} ON ${table} (${column}, created_at, id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of CREATED_INDEXES) await runner.query(`DROP INDEX ${name}`);
    await runner.query(`ALTER TABLE workflow DROP COLUMN variables`);
    await runner.query(`ALTER TABLE trigger DROP COLUMN controls`);
    for (const [name, columns] of MESSAGE_INDEXES) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON message (${[...columns, 'id'].join(', ')})`);
    }
  }
}

const MESSAGE_INDEXES = [
  ['message_list_idx', ['environment_id']],
  ['message_subscriber_idx', ['environment_id', 'subscriber_id']],
  ['message_channel_idx', ['environment_id', 'channel']],
  ['message_transaction_idx', ['environment_id', 'transaction_id']],
] as const;

const CREATED_INDEXES = [
  ['subscriber_created_idx', 'subscriber', 'environment_id'],
  ['suppression_created_idx', 'suppression', 'environment_id'],
  ['topic_subscription_created_idx', 'topic_subscription', 'topic_id'],
] as const;
