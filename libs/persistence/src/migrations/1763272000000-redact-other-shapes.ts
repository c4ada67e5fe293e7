import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A function that replaces the value at a path, where `other` is what happens to a value without such a path. */
const redactPath = (other: string): string =>
  `CREATE OR REPLACE FUNCTION redact_path(value jsonb, path jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
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
     ${other}
   END $$`;

/**
 * A payload that is not validated may have a list or a text where the schema describes an object with a marked field.
 * Such a value can contain the field in any form, so it is redacted as a whole.
 */
export class RedactOtherShapes1763272000000 implements MigrationInterface {
  readonly name = 'RedactOtherShapes1763272000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      redactPath(`IF jsonb_typeof(value) IN ('object', 'null') THEN RETURN value; END IF;
     RETURN '"[redacted]"';`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(redactPath('RETURN value;'));
  }
}
