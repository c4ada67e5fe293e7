import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The scope `admin`, expiry and addresses of keys, settings of environments, and the audit log. * One key is widened:
 * the first one of the default organization, which `ensureDefaults` made. It stands for the operator, who has the
 * database anyway. No other key gets more than it had; `clarion keys create --scope admin` makes more.
 */
export class Access1700000004000 implements MigrationInterface {
  name = 'Access1700000004000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE api_key
     ADD COLUMN expires_at timestamptz(3),
     ADD COLUMN allowed_addresses text[],
     ADD CONSTRAINT api_key_scope_check CHECK (scope IN ('admin', 'full', 'read', 'trigger'))`,
  `UPDATE api_key SET scope = 'admin'
    WHERE scope = 'full' AND name = 'default' AND revoked_at IS NULL
      AND id = (SELECT k.id FROM api_key k JOIN environment e ON e.id = k.environment_id
                 WHERE e.organization_id = (SELECT id FROM organization ORDER BY id LIMIT 1) ORDER BY k.id LIMIT 1)`,
  `ALTER TABLE environment
     ADD COLUMN dialect text,
     ADD COLUMN allow_recipient_overrides boolean NOT NULL DEFAULT false,
     ADD CONSTRAINT environment_dialect_check CHECK (dialect IN ('spec', 'novu'))`,

  // Without foreign keys: the record of a change outlives what was changed.
  `CREATE TABLE audit_log (
     id uuid PRIMARY KEY,
     organization_id uuid NOT NULL,
     environment_id uuid NOT NULL,
     actor_type text NOT NULL,
     actor_id uuid,
     actor_name text,
     action text NOT NULL,
     resource_type text NOT NULL,
     resource_id text NOT NULL,
     before jsonb,
     after jsonb,
     request_id text,
     created_at timestamptz(3) NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX audit_log_list_idx ON audit_log (environment_id, id)`,
  `CREATE INDEX audit_log_created_idx ON audit_log (environment_id, created_at, id)`,
  `CREATE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION 'audit_log is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege'; END $$`,
  `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change()`,
];

const DOWN = [
  `DROP TABLE audit_log`,
  `DROP FUNCTION refuse_audit_log_change()`,
  `ALTER TABLE environment DROP COLUMN dialect, DROP COLUMN allow_recipient_overrides`,
  `ALTER TABLE api_key DROP CONSTRAINT api_key_scope_check, DROP COLUMN expires_at, DROP COLUMN allowed_addresses`,
  `UPDATE api_key SET scope = 'full' WHERE scope = 'admin'`,
];
