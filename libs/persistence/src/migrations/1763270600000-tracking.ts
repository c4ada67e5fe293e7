import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Open and click tracking, one-click unsubscribe, and delays that end when a message is read. */
export class Tracking1763270600000 implements MigrationInterface {
  readonly name = 'Tracking1763270600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE environment
         ADD COLUMN track_opens boolean NOT NULL DEFAULT false,
         ADD COLUMN track_clicks boolean NOT NULL DEFAULT false,
         ADD COLUMN one_click_unsubscribe boolean NOT NULL DEFAULT true`,
    );
    await runner.query(`ALTER TABLE message ADD COLUMN clicked_at timestamptz(3)`);
    // Every statement that records a read ends the delay that waits for it. The statements of the function have a new
    // snapshot, taken while the message is locked: a delay that was stored before the lock is found.
    await runner.query(
      `CREATE FUNCTION end_awaited_read() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         last_id uuid := step_id(notification_of(NEW.step_id), 254);
       BEGIN
         UPDATE work w SET due_at = now(), fence = w.fence + 1, offered_at = NULL, was_offered_again = false,
                           updated_at = now()
          WHERE w.id > NEW.step_id AND w.id <= last_id AND w.environment_id = NEW.environment_id AND w.is_delayed
            AND w.hold_id IS NULL AND w.due_at > now() AND w.progress ->> 'awaitsReadOf' = NEW.step_id::text;
         RETURN NULL;
       END $$`,
    );
    await runner.query(
      `CREATE TRIGGER message_read AFTER UPDATE OF read ON message
         FOR EACH ROW WHEN (NEW.read AND NOT OLD.read) EXECUTE FUNCTION end_awaited_read()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER message_read ON message`);
    await runner.query(`DROP FUNCTION end_awaited_read()`);
    await runner.query(`DROP VIEW IF EXISTS message_search`);
    await runner.query(`ALTER TABLE message DROP COLUMN clicked_at`);
    await runner.query(
      `ALTER TABLE environment DROP COLUMN track_opens, DROP COLUMN track_clicks, DROP COLUMN one_click_unsubscribe`,
    );
  }
}
