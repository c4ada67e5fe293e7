import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The types of which entries named a person, and the fields that did. */
const TYPES = `'{channel_connection,channel_endpoint,suppression}'`;
const FIELDS = `'{address,externalSubscriberId,identifier,workspace}'::text[]`;

/**
 * Removes the names and addresses of people from the audit log, which the erasure of a subscriber does not change. The
 * ids become the hashes that new entries have.
 */
export class PersonalAuditEntries1763281000000 implements MigrationInterface {
  readonly name = 'PersonalAuditEntries1763281000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only`);
    await runner.query(
      `UPDATE audit_log
          SET resource_id = encode(sha256(convert_to(environment_id || ':' || resource_id, 'UTF8')), 'hex'),
              before = before - ${FIELDS}, after = after - ${FIELDS}
        WHERE resource_type = ANY (${TYPES})`,
    );
    await runner.query(`ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only`);
  }

  async down(): Promise<void> {
    // What was removed cannot be restored.
  }
}
