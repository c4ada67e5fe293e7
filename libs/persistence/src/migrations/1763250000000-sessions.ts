import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Sessions of the dashboard, and the links that open one. Only hashes of their secrets are stored. */
export class Sessions1763250000000 implements MigrationInterface {
  name = 'Sessions1763250000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE session (
         id uuid NOT NULL,
         environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
         key_id uuid NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
         hash bytea NOT NULL,
         address text NOT NULL,
         user_agent text,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         last_used_at timestamptz(3) NOT NULL DEFAULT now(),
         expires_at timestamptz(3) NOT NULL,
         revoked_at timestamptz(3),
         CONSTRAINT session_pkey PRIMARY KEY (id),
         CONSTRAINT session_hash_key UNIQUE (hash)
       )`,
    );
    await runner.query(`CREATE INDEX session_list_idx ON session (environment_id, id)`);
    await runner.query(`CREATE INDEX session_key_idx ON session (key_id, id)`);
    // Sessions are opened and removed by the system, because a caller has no environment before the sign-in.
    await protectTable(runner, 'session', { rights: 'SELECT, UPDATE' });
    await runner.query(
      `CREATE TABLE sign_in_token (
         hash bytea NOT NULL,
         key_id uuid NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
         expires_at timestamptz(3) NOT NULL,
         used_at timestamptz(3),
         CONSTRAINT sign_in_token_pkey PRIMARY KEY (hash)
       )`,
    );
    await runner.query(`CREATE INDEX sign_in_token_key_idx ON sign_in_token (key_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotectTable(runner, 'session');
    await runner.query(`DROP TABLE sign_in_token`);
    await runner.query(`DROP TABLE session`);
  }
}
