import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** What the templates of an environment can read besides the event: its variables and translations. */
export class EnvironmentContent1763270300000 implements MigrationInterface {
  readonly name = 'EnvironmentContent1763270300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE environment ADD COLUMN default_locale text NOT NULL DEFAULT 'en_US'`);
    // Every change of a variable or a translation raises the version. Claims return it, so workers cache the rest.
    await runner.query(
      `CREATE TABLE environment_content (
         environment_id uuid NOT NULL,
         version bigint NOT NULL DEFAULT 1,
         CONSTRAINT environment_content_pkey PRIMARY KEY (environment_id),
         CONSTRAINT environment_content_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE
       )`,
    );
    await runner.query(
      `CREATE TABLE environment_variable (
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         key text NOT NULL,
         is_secret boolean NOT NULL,
         -- A secret has only the encrypted value. Neither is set while the environment has no value.
         value text,
         sealed_value text,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT environment_variable_pkey PRIMARY KEY (id),
         CONSTRAINT environment_variable_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE,
         CONSTRAINT environment_variable_key_key UNIQUE (environment_id, key),
         CONSTRAINT environment_variable_secret_check CHECK (NOT (is_secret AND value IS NOT NULL))
       )`,
    );
    await runner.query(
      `CREATE TABLE translation (
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         workflow_id uuid,
         layout_id uuid,
         locale text NOT NULL,
         -- json keeps the order of the keys, which authors see again.
         content json NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT translation_pkey PRIMARY KEY (id),
         CONSTRAINT translation_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE,
         CONSTRAINT translation_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow (id) ON DELETE CASCADE,
         CONSTRAINT translation_layout_id_fkey FOREIGN KEY (layout_id) REFERENCES layout (id) ON DELETE CASCADE,
         CONSTRAINT translation_workflow_key UNIQUE (workflow_id, locale),
         CONSTRAINT translation_layout_key UNIQUE (layout_id, locale),
         CONSTRAINT translation_resource_check CHECK ((workflow_id IS NULL) <> (layout_id IS NULL))
       )`,
    );
    await runner.query(`CREATE INDEX translation_locale_idx ON translation (environment_id, locale)`);
    for (const table of ['environment_content', 'environment_variable', 'translation']) {
      await protectTable(runner, table);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['translation', 'environment_variable', 'environment_content']) {
      await unprotectTable(runner, table);
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query(`ALTER TABLE environment DROP COLUMN default_locale`);
  }
}
