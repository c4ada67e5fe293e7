import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Who may open an inbox: whether sessions need a signature, and the secret of an environment that signs them. */
export class InboxSignatures1763284000000 implements MigrationInterface {
  readonly name = 'InboxSignatures1763284000000';

  async up(runner: QueryRunner): Promise<void> {
    // NULL is the default of the kind: required in production.
    await runner.query(
      `ALTER TABLE environment ADD COLUMN inbox_signatures text
         CONSTRAINT environment_inbox_signatures_check CHECK (inbox_signatures IN ('required', 'optional'))`,
    );
    await runner.query(
      `CREATE TABLE inbox_secret (
         environment_id uuid NOT NULL,
         id uuid NOT NULL,
         -- Encrypted.
         secret text NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         -- NULL for the secret that signs now.
         expires_at timestamptz(3),
         CONSTRAINT inbox_secret_pkey PRIMARY KEY (environment_id, id),
         CONSTRAINT inbox_secret_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE
       )`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX inbox_secret_current_idx ON inbox_secret (environment_id) WHERE expires_at IS NULL`,
    );
    await protectTable(runner, 'inbox_secret');
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotectTable(runner, 'inbox_secret');
    await runner.query(`DROP TABLE inbox_secret`);
    await runner.query(`ALTER TABLE environment DROP COLUMN inbox_signatures`);
  }
}
