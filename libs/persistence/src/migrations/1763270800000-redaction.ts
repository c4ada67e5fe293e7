import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** The redirect of sandboxes, and the redaction of marked payload fields after delivery. */
export class Redaction1763270800000 implements MigrationInterface {
  readonly name = 'Redaction1763270800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment ADD COLUMN sandbox_email text, ADD COLUMN sandbox_phone text`);
    await runner.query(`ALTER TABLE trigger ADD COLUMN redacted_at timestamptz(3)`);
    await runner.query(
      `CREATE TABLE redaction (
         trigger_id uuid CONSTRAINT redaction_pkey PRIMARY KEY,
         environment_id uuid NOT NULL,
         due_at timestamptz(3) NOT NULL DEFAULT now(),
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         paths jsonb NOT NULL,
         phase text NOT NULL DEFAULT 'waiting',
         cursor_id uuid,
         cursor_time timestamptz(3),
         is_repeated boolean NOT NULL DEFAULT false
       )`,
    );
    await runner.query(`CREATE INDEX redaction_due_idx ON redaction (due_at)`);
    await protectTable(runner, 'redaction', { rights: 'SELECT, INSERT, UPDATE' });
    // A member of the path that is null means every element of a list, or every member of an object.
    await runner.query(
      `CREATE FUNCTION redact_path(value jsonb, path jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
       DECLARE
         key text := path ->> 0;
         rest jsonb := path - 0;
       BEGIN
         IF jsonb_array_length(path) = 0 THEN RETURN '"[redacted]"'; END IF;
         IF jsonb_typeof(value) = 'array' AND key IS NULL THEN
           RETURN (SELECT coalesce(jsonb_agg(redact_path(e.item, rest) ORDER BY e.place), '[]')
                     FROM jsonb_array_elements(value) WITH ORDINALITY AS e (item, place));
         END IF;
         IF jsonb_typeof(value) = 'object' AND key IS NULL THEN
           RETURN (SELECT coalesce(jsonb_object_agg(e.name, redact_path(e.item, rest)), '{}')
                     FROM jsonb_each(value) AS e (name, item));
         END IF;
         IF jsonb_typeof(value) = 'object' AND value ? key THEN
           RETURN value || jsonb_build_object(key, redact_path(value -> key, rest));
         END IF;
         RETURN value;
       END $$`,
    );
    await runner.query(
      `CREATE FUNCTION redact_paths(value jsonb, paths jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
       DECLARE
         path jsonb;
       BEGIN
         FOR path IN SELECT jsonb_array_elements(paths) LOOP
           value := redact_path(value, path);
         END LOOP;
         RETURN value;
       END $$`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION redact_paths(jsonb, jsonb)`);
    await runner.query(`DROP FUNCTION redact_path(jsonb, jsonb)`);
    await unprotectTable(runner, 'redaction');
    await runner.query(`DROP TABLE redaction`);
    await runner.query(`ALTER TABLE trigger DROP COLUMN redacted_at`);
    await runner.query(`ALTER TABLE environment DROP COLUMN sandbox_email, DROP COLUMN sandbox_phone`);
  }
}
