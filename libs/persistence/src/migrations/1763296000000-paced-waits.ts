import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TENANT_ROLE } from '../connection/tenant-scope';

/** How fast the steps that wait for the limit of an integration go on: the engines cannot read its configuration. */
export class PacedWaits1763296000000 implements MigrationInterface {
  readonly name = 'PacedWaits1763296000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE send_rate ADD COLUMN per_second float8, ADD COLUMN released_until timestamptz`);
    // A tenant that changes the limit of its integration deletes what was reserved under the old one.
    await runner.query(`ALTER TABLE send_rate ENABLE ROW LEVEL SECURITY`);
    await runner.query(
      `CREATE POLICY ${TENANT_ROLE} ON send_rate TO ${TENANT_ROLE}
         USING (EXISTS (SELECT 1 FROM integration i
                         WHERE i.id = integration_id AND i.environment_id = clarion_environment()))`,
    );
    await runner.query(`GRANT SELECT, DELETE ON send_rate TO ${TENANT_ROLE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE ALL ON send_rate FROM ${TENANT_ROLE}`);
    await runner.query(`DROP POLICY ${TENANT_ROLE} ON send_rate`);
    await runner.query(`ALTER TABLE send_rate DISABLE ROW LEVEL SECURITY`);
    await runner.query(`ALTER TABLE send_rate DROP COLUMN per_second, DROP COLUMN released_until`);
  }
}
